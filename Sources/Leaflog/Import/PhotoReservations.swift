package import DiaryModel
internal import Synchronization

/// The photos that are being imported right now, so that two files of one photo are not both processed: with the same
/// bytes, or with the same picture of the same time.
///
/// A file whose photo is taken waits without a thread until the other one is done. Then the library has the photo; if the
/// other file has failed, the first that waits takes its place.
package final class PhotoReservations: Sendable {
  /// The bytes, or the picture and time, that files of one photo share.
  package enum Identity: Sendable {
    case bytes(BlobID)
    /// A picture and the time that was recorded for it, if it is known.
    case picture(BlobID, ComparedTime?)
  }

  /// The result of trying to reserve a photo.
  package enum Attempt: Sendable {
    /// - Parameter isAlone: whether no other file with this picture is in progress, not even of another time.
    case reserved(isAlone: Bool)
    /// The file whose id is given has it.
    case taken(by: EntryID)
  }

  /// The reservations of one file.
  package final class Hold: Sendable {
    fileprivate let identities = Mutex<[Identity]>([])
    private let reservations: PhotoReservations
    /// The file's place in its walk; nil for one that was not found by a walk.
    let place: WalkOrder.Place?

    fileprivate init(_ reservations: PhotoReservations, _ place: WalkOrder.Place?) {
      (self.reservations, self.place) = (reservations, place)
    }

    /// Reserves a photo, unless another file has it.
    ///
    /// - Parameter photo: the photo's id, should it be new.
    package func reserve(_ identity: Identity, as photo: EntryID) -> Attempt {
      reservations.reserve(identity, photo, for: self)
    }

    /// Waits until no other file has a photo. It may be reserved then.
    package func wait(for identity: Identity, as photo: EntryID) async {
      await reservations.wait(for: identity, photo, with: self)
    }

    /// Releases all that it has reserved.
    ///
    /// - Parameter isKnown: whether the library has the photo now.
    package func release(isKnown: Bool) { reservations.release(self, isKnown: isKnown) }
  }

  fileprivate struct Holder {
    let hold: Hold
    let identity: Identity
    let photo: EntryID
  }

  fileprivate struct Waiting {
    let holder: Holder
    let continuation: CheckedContinuation<Void, Never>

    /// In the order of the walk; those that no walk found come last.
    var number: Int { holder.hold.place?.number ?? .max }
  }

  fileprivate struct State {
    /// The files by what others may have in common with them.
    var holders: [Mark: [ObjectIdentifier: Holder]] = [:]
    /// Those that wait for a file with some bytes, or for a picture, in their order.
    var waiting: [BlobID: [Waiting]] = [:]

    /// The file that has a photo; nil if none but `hold` has it.
    func holder(of identity: Identity, besides hold: Hold) -> Holder? {
      for mark in identity.sought {
        for holder in (holders[mark] ?? [:]).values
        where holder.hold !== hold && holder.identity.isSame(as: identity) {
          return holder
        }
      }
      return nil
    }

    mutating func insert(_ holder: Holder) {
      for mark in holder.identity.marks {
        holders[mark, default: [:]][ObjectIdentifier(holder.hold)] = holder
      }
      holder.hold.identities.withLock { $0.append(holder.identity) }
    }

    mutating func remove(_ hold: Hold, _ identity: Identity) {
      for mark in identity.marks {
        holders[mark]?[ObjectIdentifier(hold)] = nil
        if holders[mark]?.isEmpty == true { holders[mark] = nil }
      }
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// The reservations of a further file, none yet.
  package func hold() -> Hold { Hold(self, nil) }

  /// The reservations of the next file of a walk.
  func hold(in order: WalkOrder) -> Hold { Hold(self, order.next()) }

  private func reserve(_ identity: Identity, _ photo: EntryID, for hold: Hold) -> Attempt {
    state.withLock { state in
      if let other = state.holder(of: identity, besides: hold) { return .taken(by: other.photo) }
      let own = ObjectIdentifier(hold)
      let isHeld = identity.marks.first.map { state.holders[$0]?[own] != nil } ?? false
      if !isHeld { state.insert(Holder(hold: hold, identity: identity, photo: photo)) }
      let others = identity.marks.first.flatMap { state.holders[$0] } ?? [:]
      return .reserved(isAlone: others.count == 1)
    }
  }

  private func wait(for identity: Identity, _ photo: EntryID, with hold: Hold) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.holder(of: identity, besides: hold) != nil else { return true }
        let one = Waiting(
          holder: Holder(hold: hold, identity: identity, photo: photo), continuation: continuation)
        let others = state.waiting[identity.digest] ?? []
        let index = others.firstIndex { one.number < $0.number } ?? others.endIndex
        state.waiting[identity.digest, default: []].insert(one, at: index)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func release(_ hold: Hold, isKnown: Bool) {
    let identities = hold.identities.withLock { identities in
      defer { identities = [] }
      return identities
    }
    let freed = state.withLock { state in
      for identity in identities { state.remove(hold, identity) }
      return identities.flatMap { state.freed(by: $0, isKnown: isKnown) }
    }
    for continuation in freed { continuation.resume() }
  }
}

extension PhotoReservations.State {
  /// Takes those that need not wait any more off the list: all that waited for a photo which the library has now, or else
  /// the first, which gets the reservation.
  fileprivate mutating func freed(
    by identity: PhotoReservations.Identity, isKnown: Bool
  ) -> [CheckedContinuation<Void, Never>] {
    guard let all = waiting.removeValue(forKey: identity.digest) else { return [] }
    var freed: [CheckedContinuation<Void, Never>] = []
    var rest: [PhotoReservations.Waiting] = []
    for one in all {
      if !one.holder.identity.isSame(as: identity) {
        rest.append(one)
      } else if isKnown {
        freed.append(one.continuation)
      } else if holder(of: one.holder.identity, besides: one.holder.hold) == nil {
        insert(one.holder)
        freed.append(one.continuation)
      } else {
        rest.append(one)
      }
    }
    if !rest.isEmpty { waiting[identity.digest] = rest }
    return freed
  }
}

/// A property under which files are found that may be of the same photo: `ComparedTime` decides whether two times agree.
private struct Mark: Hashable {
  enum Aspect: Hashable {
    case bytes
    case picture
    case untimed
    /// A time's text as far as it is known.
    case text(String)
    /// A date that a time lies in.
    case within(String)
    case moment(Int64)
  }

  let digest: BlobID
  let aspect: Aspect
}

extension PhotoReservations.Identity {
  fileprivate var digest: BlobID {
    switch self {
    case .bytes(let digest), .picture(let digest, _): digest
    }
  }

  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.bytes(let own), .bytes(let theirs)): return own == theirs
    case (.picture(let own, let time), .picture(let theirs, let other)):
      guard own == theirs else { return false }
      guard let time, let other else { return true }
      return time.agrees(with: other)
    default: return false
    }
  }

  /// The marks under which others find it; the first is that of all with its digest.
  fileprivate var marks: [Mark] {
    switch self {
    case .bytes: return [mark(.bytes)]
    case .picture(_, nil): return [mark(.picture), mark(.untimed)]
    case .picture(_, let time?):
      return [mark(.picture), mark(.text(time.wallText))]
        + time.dates.map { mark(.within($0)) } + (time.moment.map { [mark(.moment($0))] } ?? [])
    }
  }

  /// The marks under which those are found that may be of the same photo.
  fileprivate var sought: [Mark] {
    switch self {
    case .bytes: return [mark(.bytes)]
    case .picture(_, nil): return [mark(.picture)]
    case .picture(_, let time?):
      return [mark(.untimed), mark(.text(time.wallText)), mark(.within(time.wallText))]
        + time.dates.map { mark(.text($0)) } + (time.moment.map { [mark(.moment($0))] } ?? [])
    }
  }

  private func mark(_ aspect: Mark.Aspect) -> Mark { Mark(digest: digest, aspect: aspect) }
}
