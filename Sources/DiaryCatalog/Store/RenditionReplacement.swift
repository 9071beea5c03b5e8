package import DiaryModel

/// The replacement of some of a photo's renditions by another.
package struct RenditionReplacement: Sendable {
  package let photo: EntryID
  /// The renditions to replace; nothing is replaced if the photo no longer has them.
  package let former: [Rendition]
  package let new: Rendition

  package init(photo: EntryID, former: [Rendition], new: Rendition) {
    self.photo = photo
    self.former = former
    self.new = new
  }
}
