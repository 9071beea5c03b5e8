internal import BlobStorage
internal import DiaryCatalog
internal import Foundation

/// A face of a library: the operations on one kind of thing. It holds nothing but the library, so it costs
/// nothing to create.
protocol LibraryFace: CatalogUser {
  var library: Library { get }
}

extension LibraryFace {
  var catalog: Catalog { library.catalog }
  var blobs: any BlobStore { library.blobs }
  var disk: LocalBlobStore { library.disk }
  var layout: LibraryLayout { library.layout }
  var timeZone: TimeZone { library.timeZone }
  var clock: WallClock { library.clock }
  var now: RecordedTime { library.now }
  var today: LocalDay { library.today }
  var moment: Timestamp { library.clock.now }
}
