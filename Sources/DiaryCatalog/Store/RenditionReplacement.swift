package import DiaryModel

/// A photo's change from some renditions to another.
package struct RenditionReplacement: Sendable {
  package let photo: EntryID
  /// The renditions it has now; the change is off when it has others by then.
  package let former: [Rendition]
  package let new: Rendition

  package init(photo: EntryID, former: [Rendition], new: Rendition) {
    self.photo = photo
    self.former = former
    self.new = new
  }
}
