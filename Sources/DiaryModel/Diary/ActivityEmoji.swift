/// Emoji for activities, chosen by the English and German words in their names.
package enum ActivityEmoji {
  /// The emoji that fits a name best; nil when no word of it is known.
  package static func suggested(for name: String) -> String? {
    let words = folded(name).split { !$0.isLetter }
    return table.first { _, stems in
      stems.contains { stem in words.contains { matches($0, stem) } }
    }?.emoji
  }

  /// The name without case and with umlauts spelled as two letters.
  private static func folded(_ name: String) -> String {
    foldedName(name).reduce(into: "") { text, letter in
      switch letter {
      case "ä": text += "ae"
      case "ö": text += "oe"
      case "ü": text += "ue"
      case "ß": text += "ss"
      default: text.append(letter)
      }
    }
  }

  private static func matches(_ word: Substring, _ stem: String) -> Bool {
    stem.hasSuffix("*") ? word.hasPrefix(stem.dropLast()) : word == stem
  }

  /// In order of precedence: walking the dog is about the dog. An asterisk stands for any ending.
  private static let table: [(emoji: String, stems: [String])] = [
    ("💧", ["water", "watering", "giess*", "waessern", "bewaesser*", "blumengiessen"]),
    ("🪴", ["repot*", "umtopf*", "pot", "topfpflanze*", "houseplant*", "zimmerpflanze*"]),
    ("🌱", ["sow*", "saeen", "seed*", "aussaat", "fertili*", "duenge*", "plant*", "pflanze*"]),
    ("🍅", ["tomato*", "tomate*"]),
    ("✂️", ["prune", "pruning", "haircut", "trim*", "friseur*", "haareschneiden"]),
    ("🐕", ["dog", "dogs", "hund", "hunde", "hundefutter", "gassi", "puppy"]),
    ("🐈", ["cat", "cats", "katze*", "kater", "litter", "katzenklo"]),
    ("🐟", ["fish", "aquarium", "fische*"]),
    ("🐴", ["horse*", "pferd*", "reiten", "riding"]),
    ("🐦", ["bird*", "vogel*", "voegel*"]),
    ("🦷", ["teeth", "tooth*", "dentist*", "zahn*", "zaehne*", "floss*"]),
    (
      "💊", ["pill", "pills", "pille*", "medic*", "tablette*", "medikament*", "vitamin*", "arznei*"]
    ),
    ("🩺", ["doctor*", "checkup", "arzt*", "vorsorge*"]),
    ("💉", ["vaccin*", "impf*", "injection*", "spritze*"]),
    ("🧘", ["yoga", "meditat*", "meditier*", "stretch*", "dehnen", "pilates"]),
    ("🏃", ["run", "running", "jog*", "laufen", "joggen", "lauf"]),
    ("🚴", ["bike", "biking", "cycl*", "fahrrad*", "radfahren", "radeln", "bicycle"]),
    ("🏊", ["swim*", "schwimm*"]),
    ("🏋️", ["gym", "workout*", "weight*", "training", "fitness*", "kraft*", "exercise*", "sport"]),
    ("⚽", ["football", "soccer", "fussball*"]),
    ("🎾", ["tennis"]),
    ("🧗", ["climb*", "kletter*", "boulder*"]),
    ("🥾", ["hike", "hiking", "wander*"]),
    ("🚶", ["walk*", "spazier*", "gehen"]),
    ("😴", ["sleep*", "nap", "schlaf*"]),
    ("🎸", ["guitar*", "gitarre*", "bass"]),
    ("🎹", ["piano", "klavier*", "keyboard"]),
    ("🎻", ["violin*", "geige*"]),
    ("🎤", ["sing", "singing", "singen", "choir", "chor"]),
    ("🎵", ["music*", "musik*", "practi*", "ueben"]),
    ("📖", ["read", "reading", "lesen", "book", "books", "buch", "buecher"]),
    ("✍️", ["write", "writing", "schreib*", "journal*", "tagebuch", "diary"]),
    ("🗣️", ["language*", "sprach*", "spanish", "spanisch", "french", "franzoesisch", "vokabel*"]),
    ("🎨", ["paint*", "draw", "drawing", "malen", "zeichn*", "watercolo*"]),
    ("🧶", ["knit*", "strick*", "crochet*", "haekel*"]),
    ("🧵", ["sew*", "naeh*"]),
    ("📷", ["photo*", "foto*"]),
    ("🎮", ["game", "games", "gaming", "spielen"]),
    ("♟️", ["chess", "schach"]),
    ("🧺", ["laundry", "waesche*", "washing", "buegel*", "iron*"]),
    ("🛏️", ["bed", "sheets", "bett", "betten", "bettwaesche*"]),
    ("🍽️", ["dish*", "dishwasher", "geschirr*", "abwasch*", "spuel*"]),
    ("🧹", ["vacuum*", "sweep*", "staubsaug*", "saugen", "fegen", "hoover*"]),
    ("🧽", ["clean*", "putz*", "wisch*", "mop", "mopping", "sauber*", "dust*"]),
    ("🚿", ["shower*", "dusch*", "bath*"]),
    ("🪟", ["window*", "fenster*"]),
    ("🗑️", ["trash", "garbage", "rubbish", "bin", "bins", "muell*"]),
    ("♻️", ["recycl*", "altglas", "altpapier"]),
    ("🛒", ["shop*", "grocer*", "einkauf*"]),
    ("🍳", ["cook*", "koch*"]),
    ("🍞", ["bake", "baking", "backen", "bread", "brot*", "sourdough", "sauerteig*"]),
    ("🔧", ["repair*", "fix*", "reparier*", "maintain*", "wartung*", "service"]),
    ("🔋", ["charge", "charging", "batter*", "laden", "akku*"]),
    ("🚗", ["car", "auto", "tyre*", "tire*", "reifen*"]),
    ("💾", ["backup*", "datensicher*"]),
    ("📞", ["call*", "phone*", "anruf*", "telefon*"]),
    ("✉️", ["mail*", "letter*", "brief", "briefe", "post"]),
    ("💶", ["pay*", "bill", "bills", "rechnung*", "budget*", "miete", "rent", "steuer*", "taxes"]),
    ("🎁", ["gift*", "present", "presents", "geschenk*", "birthday*", "geburtstag*"]),
    ("🌳", ["garden*", "garten*", "lawn*", "rasen*", "mow*", "maehen"]),
  ]
}
