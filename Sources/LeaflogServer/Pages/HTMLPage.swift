internal import HTTPTypes
internal import Hummingbird

/// A plain page of HTML, without styles and scripts.
struct HTMLPage {
  let title: String
  /// HTML.
  let body: String

  func response(_ status: HTTPResponse.Status = .ok) -> Response {
    let text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escaped(title)) – Leaflog</title>
      </head>
      <body>
      <h1>\(Self.escaped(title))</h1>
      \(body)
      </body>
      </html>

      """
    return Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// A text as it stands in HTML, in attributes too.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
