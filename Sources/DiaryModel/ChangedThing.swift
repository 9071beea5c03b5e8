package import Fields

/// A thing that a change added, edited or deleted.
public struct ChangedThing: Sendable, Hashable {
  /// The fate of a thing in a change.
  public enum Fate: String, Sendable, CaseIterable {
    /// Created, or restored from the trash.
    case added
    /// Edited.
    case changed
    /// Removed, or moved to the trash.
    case deleted
  }

  /// The thing itself: as it is now, or as it was if the change is undone and it is gone.
  @nonexhaustive
  public enum Subject: Sendable, Hashable {
    /// An entry of any kind.
    case entry(Entry)
    /// A plant, by its id and name.
    case plant(PlantReference)
    /// An activity, by its id, name and emoji.
    case activity(ActivityReference)
    /// A quote of the user's own; a favourite is an entry.
    case quote(Quote)
    /// An own factor, by its id and name.
    case factor(FactorID, name: String)
    /// A setting by its key.
    case setting(String)
  }

  /// The thing itself.
  public let subject: Subject
  /// Whether the change added, edited or deleted it.
  public let fate: Fate
  /// Its fields that have another value since; empty unless it was changed.
  public let fields: [ChangedField]

  package init(_ subject: Subject, _ fate: Fate, fields: [ChangedField]) {
    (self.subject, self.fate, self.fields) = (subject, fate, fields)
  }

  /// The kind of thing by which it is counted.
  public var thing: ChangeCount.Thing {
    switch subject {
    case .entry(let entry): entry.kind.thing
    case .plant: .plant
    case .activity: .activity
    case .quote: .quote
    case .factor: .factor
    case .setting: .setting
    }
  }

  /// Its public id; the key of a setting.
  public var id: String {
    switch subject {
    case .entry(let entry): entry.id.description
    case .plant(let plant): plant.id.description
    case .activity(let activity): activity.id.description
    case .quote(let quote): quote.id.description
    case .factor(let id, _): id.description
    case .setting(let key): key
    }
  }

  /// The entry; nil for any other thing.
  public var entry: Entry? { if case .entry(let entry) = subject { entry } else { nil } }
}

extension ChangedThing {
  /// The thing in a few words, such as `photo of Monstera, 2026-06-04`.
  public var title: String {
    switch subject {
    case .entry(let entry): entry.title
    case .plant(let plant): plant.name
    case .activity(let activity): activity.words
    case .quote(let quote): "quote \(quote.attributed)"
    case .factor(_, let name): name
    case .setting(let key): fieldWords(key)
    }
  }
}

/// A field of a thing, before and after a change.
public struct ChangedField: Sendable, Hashable {
  /// Its name in JSON, such as `notes`.
  public let name: String
  package let before: Scalar
  package let after: Scalar

  package init(_ name: String, _ before: Scalar, _ after: Scalar) {
    (self.name, self.before, self.after) = (name, before, after)
  }

  /// The value before the change, as text; nil for none.
  public var oldText: String? { before.shownOrNil }
  /// The value after the change, as text; nil for none.
  public var newText: String? { after.shownOrNil }
}

extension Scalar {
  fileprivate var shownOrNil: String? { shown.isEmpty ? nil : shown }
}

extension EntryKind {
  /// The kind of thing by which entries of this kind are counted.
  package var thing: ChangeCount.Thing {
    guard let thing = ChangeCount.Thing(rawValue: rawValue) else {
      preconditionFailure("changes of \(self) are counted")
    }
    return thing
  }
}

extension Entry {
  /// The entry in a few words, such as `mood of 2026-03-01`.
  package var title: String {
    switch content {
    case .photo:
      "photo of " + ([plant?.name].compactMap { $0 } + [time.date]).joined(separator: ", ")
    case .symptom(let symptom): "\(symptom.name) of \(time.date)"
    case .completion(let completion): "\(completion.activity.name) of \(time.date)"
    case .quote(let quote): "quote \(quote.attributed)"
    default: "\(kind.words) of \(time.date)"
    }
  }
}

/// The reason why a change cannot be undone or redone as things are now.
@nonexhaustive
public enum ChangeBlocker: Sendable, Hashable {
  /// Its things were changed again, by this change if it is known.
  case changedLater(by: Int64?)
  /// Another plant, activity or factor has the name by now.
  case nameTaken(ChangeCount.Thing)
  /// Its day has another entry of a kind of which there is one a day.
  case dayTaken
  /// The files that it would bring back were pruned.
  case filesGone
  /// Something that came later belongs to it.
  case inUse
  /// The plant or the activity that it belongs to is in the trash by now.
  case ownerInTrash(ChangeCount.Thing)

  /// The reason as a sentence.
  public var message: String {
    switch self {
    case .changedLater(let later):
      "What this change touched was changed again later"
        + (later.map { ", by change \($0)" } ?? "") + "."
    case .nameTaken(let thing):
      "Another \(thing.rawValue) has the name by now; rename that one first."
    case .dayTaken: "Its day has another one by now."
    case .filesGone: "The files that it would bring back were pruned."
    case .inUse: "Something that came later belongs to it."
    case .ownerInTrash(let owner):
      "The \(owner.rawValue) that it belongs to is in the trash by now."
    }
  }
}
