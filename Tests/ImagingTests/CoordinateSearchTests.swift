import Imaging
import TestSupport
import Testing

@Suite struct CoordinateSearchTests {
  @Test(arguments: [
    "Lat: 52.520008, Lon: 13.404954", "lat=52.5 lon=13.4", #"{"lat":52.52,"lng":13.405}"#,
    #"{"latitude": "52.52", "longitude": "-13.40"}"#, "mlat=52.52&mlon=13.40",
    "GPSLatitude: 52 deg 31' 12.00\" N", "Latitude 52.5200\nLongitude 13.4049",
    "latitud 52,52 longitud 13,40", "Breitengrad 52,52 und Längengrad 13,40",
    "Lat/Lon: 52.52, 13.40", "Breite: 52.520008, Länge: 13.404954",
    "Latitude: 52 31 12 N Longitude: 13 24 18 E", "Latitude 52.520", "lat 52.5, 13.4",
    // Decimal degrees.
    "52.520008, 13.404954", "taken at 52.5200, 13.4049 in the shade", "-33.8688,151.2093",
    "52,520008 13,404954", "52,5200; 13,4049", "52,5200,13,4049", "(52.52001 | 13.40495)",
    "13.4049/52.5200/34", "52.520, 13.405", "[13.404954,52.520008]", "５２．５２０００８、 13.404954",
    "52.520008\u{a0}13.404954", "52.520008 −13.404954", "0.3365, 6.7273",
    "52.520°, 13.405°\u{202c}",
    "https://maps.google.com/?q=52.52,13.40", "https://example.org/@52.52,13.40,15z",
    "geo:52.5,13.4;u=35", "GPS 52.5, 13.4", "Koordinaten (WGS 84): 52,52 / 13,40",
    "https://www.openstreetmap.org/#map=15/52.520/13.405", "Standort: 52.520 13.405",
    // With sides.
    "52.5200N 13.4049E", "N 52.52 E 13.40", "52.52° N, 13.40° E", "52° N, 13° E",
    "52.52 north, 13.40 east", "52.5200° nördl., 13.405° östl., N 52.52° E 13.40°",
    "52,52° N 13,40° O",
    "33.8688 S 151.2093 E", "S33.86 E151.20", "52.520° N",
    // Degrees and minutes.
    "52°31'12.0\"N 13°24'18.0\"E", "52° 31′ 12″ N", "N52°31.2' E013°24.3'", "52º31’12”n",
    "52°31'12\" 13°24'18\"", "52 31 12.0 N 13 24 18.0 E", "52:31:12N 13:24:18E",
    "52,31.2N 13,24.3E", "52,31,12N 13,24,18E", "52 degrees 31 minutes 12 seconds north",
    "5231N 01324E", "$GPGLL,5231.2000,N,01324.3000,E", "33° 52' S", "52° 31.2 N",
    "北緯52度31分12秒 東経13度24分18秒",
    // Other forms.
    "+52.5200+013.4049/", "-33.86+151.20/", "9F4MGC8G+5X", "at 9f4mgc8g+5xq, behind the shed",
  ])
  func `coordinates are found`(words: String) {
    #expect(CoordinateSearch(words).isSuccessful)
  }

  @Test(arguments: [
    "", "50 5 cm", "2024-05-06 07:08:09", "2024:05:06 07:08:09", "06.05.2024, 07.05.2024",
    "v1.2345, 2.3456",
    "1.2.3, 4.5.6", "Leaflog 5.14.2 10.1.34", "f/2.8 1/125 s ISO 100", "1/60 s 35 e",
    "12.5 x 8.25 cm", "12.3456 x 13.4567", "12.3456, 13.4567 mm", "pH 6.5, 7.25",
    "EC 1.85, 2.10 mS/cm",
    "21.5 °C, 60.25 %", "21.5°, 23.4°", "25° S", "25° S-facing window", "faces 200° SW, 12.5 m",
    "5'10\"", "5 N, 3 E", "0.01 s, 10.50 W", "192.168.178.20 10.0.0.1", "rows 3 and 4, shelf 2",
    "1.50 €, 2.75 €", "€1.5000 €2.7512", "N 3, E 5", "touch: (0.53055555, 0.51875)",
    "1.04788 0.02292 -0.0502 0.99048",
    "hist252~255: 0.0; aec_lux: 114.0; cct: 0; brp: 0.0000,0.0000; AI_Scene: (-1, -1)",
    "Länge 12,345 cm, Breite 8,250 cm", "Länge: 12,5, Breite: 8,3", "long 12.5 cm, 3.5 lat. leaves",
    "Lat. Platycerium bifurcatum 52", "10.5 W LED, 3.5 N", "+4930-12345678 0172 1234567",
    "51.5 g 48.2 g", "tilted 12°30'", "1.0000, 2.0000, 4.0000", "12.5000, 13.5000",
    "52, 13", "lat 5 lon 7", "12.345-13.456", "1,234 5,678", "23456789+23 = 23456812",
    "3 pots @ 12.50, 13.50", "Q 1.25, 2.50", "OLYMPUS DIGITAL CAMERA", "DSC_0123.4567 12.3456",
    "position 1.25, 2.50", "seed lot 9F4MGC8G5X", "watered 0.5 l 7:30 s. below, 12.25 h",
    "1.234,56 2.345,67", "R 0.9987, p 0.0012", "week 12.2024", "\0\0\0\0",
    "99999999999999999999.1 9",
    "5 2 . 5 2 N", "6.00001 s", "9.15957e-05", "6500 K 4000 lm 90.25 CRI",
    "longitudinal section 12.345", "e 12.50 s 13.20 y",
    "3 (12.5, 13.5)", "-5.25, 12.50", "12:31:12 s", "NPK 7.123 3.456 6.789 grade",
  ])
  func `other words are no coordinates`(words: String) {
    #expect(!CoordinateSearch(words).isSuccessful)
  }

  @Test func `any prefix and any damage can be searched`() {
    let words = "lat: -52.52°, 13°24'18\"E 5231.2,N,01324.3,E +52.52+013.40/ 9F4MGC8G+5X @1,2 q=3"
    let scalars = Array(words.unicodeScalars)
    for index in scalars.indices {
      _ = CoordinateSearch(String(String.UnicodeScalarView(scalars[..<index])))
      _ = CoordinateSearch(String(String.UnicodeScalarView(scalars[index...])))
      for scalar: Unicode.Scalar in ["9", ".", ",", "°", "'", "\0", "n", "\u{FFFF}", "-"] {
        var damaged = scalars
        damaged[index] = scalar
        _ = CoordinateSearch(String(String.UnicodeScalarView(damaged)))
      }
    }
    _ = CoordinateSearch(
      String(repeating: "9", count: 100_000) + "." + String(repeating: "9", count: 500))
  }
}
