internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// Two photos of a plant, compared.
enum ComparePages {
  static func add(to serving: PageServing) {
    serving.show("compare", .readPhotos, isKept: true) { context, address in
      var request = ComparePage.Request()
      request.plant = address["plant"]
      (request.first, request.second) = (address["a"], address["b"])
      request.mode = address["mode"].flatMap { ComparePage.Mode(rawValue: $0) } ?? .slider
      request.isAligned = address["align"] == "true"
      return try ComparePage(context, request)
    }
    serving.jpeg("compare/aligned", .readPhotos) { library, address in
      let (first, second) = try photos(library, address)
      return (try Comparison(library).aligned(second, onto: first), nil)
    }
    serving.jpeg("compare/picture", .readPhotos) { library, address in
      let (first, second) = try photos(library, address)
      let layout: Comparison.Layout = address["align"] == "true" ? .blended : .sideBySide
      let days = "\(first.entry.time.date)-\(second.entry.time.date)"
      let name = first.entry.plant.map { "\($0.name)-\(days).jpg" } ?? "\(days).jpg"
      return (try Comparison(library).jpeg(first, second, layout), name)
    }
  }

  private static func photos(
    _ library: Library, _ address: PageServing.Address
  ) throws -> (Photo, Photo) {
    guard let first = address["a"], let second = address["b"] else {
      throw Problem(.badRequest, "Give the two photos to compare as “a” and “b”.")
    }
    return (try library.photos.find(matching: first), try library.photos.find(matching: second))
  }
}

extension PageServing {
  /// Adds a picture that is made on request; with a name, it is a download.
  fileprivate func jpeg(
    _ path: String, _ need: RouteNeed,
    _ make: @escaping @Sendable (Library, Address) throws -> (bytes: Data, name: String?)
  ) {
    routes.on(.get, path, need) { request, context in
      let address = try Address(request, context)
      let (bytes, name) = try await context.access.long.read { try make($0, address) }
      var response = Response(
        status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
      response.headers[.contentDisposition] = name.map(ContentDisposition.attachment)
      return response
    }
  }
}
