internal import Foundation
internal import Imaging

/// The sidecar of an exported photo (XMP, ISO 16684-1): when, what was written, which plant, and the tags, where
/// darktable, digiKam, Lightroom and Leaflog look for them.
struct XMPSidecar {
  let entry: Entry

  var data: Data {
    let time = entry.time.recorded.iso8601
    // A moment in UTC is what GPS tells; the other two are wall times.
    let dates =
      entry.time.basis == .instant
      ? ["exif:GPSTimeStamp": time]
      : ["exif:DateTimeOriginal": time, "photoshop:DateCreated": time]
    // A folder's name cannot hold every plant's.
    let plant = entry.plant.map { ["leaflog:plant": $0.name] } ?? [:]
    let attributes = dates.merging(plant) { $1 }.sorted { $0.key < $1.key }
      .map { "\n   \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
    var elements = ""
    if let notes = entry.notes {
      elements += """

           <dc:description>
            <rdf:Alt><rdf:li xml:lang="x-default">\(Self.escaped(notes))</rdf:li></rdf:Alt>
           </dc:description>
        """
    }
    let subjects = [entry.plant?.name].compactMap { $0 } + entry.tags
    if !subjects.isEmpty {
      let items = subjects.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }.joined()
      elements += """

           <dc:subject>
            <rdf:Bag>\(items)</rdf:Bag>
           </dc:subject>
        """
    }
    return Data(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
         xmlns:dc="http://purl.org/dc/elements/1.1/"
         xmlns:exif="http://ns.adobe.com/exif/1.0/"
         xmlns:leaflog="\(XMP.leaflogNamespace)"
         xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"\(attributes)>\(elements)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """.utf8)
  }

  /// For text and attributes; characters that XML 1.0 (2.2) does not allow are left out.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: break
      }
    }
    return result
  }
}
