"""Names in ten scripts, and emoji."""

SCRIPTS = {
    "Latin": "Grünkohl, Ñandú, Çiçeği, Ště",
    "Cyrillic": "Фиалка узамбарская",
    "Greek": "Βασιλικός πλατύφυλλος",
    "Arabic": "نعناع فلفلي",
    "Hebrew": "רוזמרין רפואי",
    "Devanagari": "तुलसी का पौधा",
    "Thai": "ต้นโหระพา",
    "Chinese": "紫苏与番茄",
    "Japanese": "しそとミニトマト",
    "Korean": "깻잎 화분",
}
NAMES = [*SCRIPTS.values(), "🌵 👩🏽‍🌾 🇰🇷"]

# All of them in one text of several lines.
LINES = "\n".join(NAMES)
# All of them in one line.
LINE = " · ".join(NAMES)
