/// The quotes that readers of German get, all in the public domain: the authors died before 1929. One quote per line:
/// text, author and source, separated by tabs.
///
/// As in `EnglishQuotes`, a quote's position is its identity: append, never insert or remove.
enum GermanQuotes {
  static let text = """
    Vom Eise befreit sind Strom und Bäche / Durch des Frühlings holden, belebenden Blick.	Johann Wolfgang von Goethe	Faust I, Vor dem Tor
    Schläft ein Lied in allen Dingen, / Die da träumen fort und fort, / Und die Welt hebt an zu singen, / Triffst du nur das Zauberwort.	Joseph von Eichendorff	Wünschelrute
    Für das Können gibt es nur einen Beweis: das Tun.	Marie von Ebner-Eschenbach	Aphorismen
    Die Ros ist ohn Warum; sie blühet, weil sie blühet, / Sie acht’ nicht ihrer selbst, fragt nicht, ob man sie siehet.	Angelus Silesius	Cherubinischer Wandersmann, I.289
    Frühling läßt sein blaues Band / Wieder flattern durch die Lüfte.	Eduard Mörike	Er ist’s
    In seinem Garten freudevoll / Geht hier ein Gärtner namens Knoll.	Wilhelm Busch	Dideldum!, „Der Maulwurf“
    Ein jegliches hat seine Zeit, und alles Vornehmen unter dem Himmel hat seine Stunde.	Die Bibel	Prediger 3,1 (Luther 1912)
    Ich ging im Walde / So für mich hin, / Und nichts zu suchen, / Das war mein Sinn.	Johann Wolfgang von Goethe	Gefunden
    Wir suchen überall das Unbedingte und finden immer nur Dinge.	Novalis	Blüthenstaub, 1
    Leise zieht durch mein Gemüt / Liebliches Geläute. / Klinge, kleines Frühlingslied, / Kling hinaus ins Weite.	Heinrich Heine	Neue Gedichte, Neuer Frühling, VI
    Suchst du das Höchste, das Größte? Die Pflanze kann es dich lehren: / Was sie willenlos ist, sei du es wollend – das ist’s!	Friedrich Schiller	Das Höchste
    Die Gelassenheit ist eine anmutige Form des Selbstbewußtseins.	Marie von Ebner-Eschenbach	Aphorismen
    Mit gelben Birnen hänget / Und voll mit wilden Rosen / Das Land in den See.	Friedrich Hölderlin	Hälfte des Lebens
    Ein Wiesel / Saß auf einem Kiesel / Inmitten Bachgeriesel.	Christian Morgenstern	Galgenlieder, „Das ästhetische Wiesel“
    Ich lebe mein Leben in wachsenden Ringen, / Die sich über die Dinge ziehn.	Rainer Maria Rilke	Das Stunden-Buch
    Es ist nicht genug zu wissen, man muß auch anwenden; es ist nicht genug zu wollen, man muß auch tun.	Johann Wolfgang von Goethe	Wilhelm Meisters Wanderjahre, III
    Geh aus, mein Herz, und suche Freud / In dieser lieben Sommerzeit.	Paul Gerhardt	Sommergesang
    Ohne Musik wäre das Leben ein Irrtum.	Friedrich Nietzsche	Götzen-Dämmerung, Sprüche und Pfeile, 33
    Im wunderschönen Monat Mai, / Als alle Knospen sprangen, / Da ist in meinem Herzen / Die Liebe aufgegangen.	Heinrich Heine	Buch der Lieder, Lyrisches Intermezzo, I
    Schön ist es auch anderswo, / Und hier bin ich sowieso.	Wilhelm Busch	Plisch und Plum
    Trinkt, o Augen, was die Wimper hält, / Von dem goldnen Überfluß der Welt!	Gottfried Keller	Abendlied
    An ihren Früchten sollt ihr sie erkennen.	Die Bibel	Matthäus 7,16 (Luther 1912)
    Die linden Lüfte sind erwacht, / Sie säuseln und weben Tag und Nacht.	Ludwig Uhland	Frühlingsglaube
    Man muß noch Chaos in sich haben, um einen tanzenden Stern gebären zu können.	Friedrich Nietzsche	Also sprach Zarathustra, Vorrede, 5
    Grau, teurer Freund, ist alle Theorie, / Und grün des Lebens goldner Baum.	Johann Wolfgang von Goethe	Faust I, Studierzimmer
    Dies ist ein Herbsttag, wie ich keinen sah! / Die Luft ist still, als atmete man kaum.	Friedrich Hebbel	Herbstbild
    Die Erinnerung ist das einzige Paradies, aus welchem wir nicht getrieben werden können.	Jean Paul	Impromptus
    Herr von Ribbeck auf Ribbeck im Havelland, / Ein Birnbaum in seinem Garten stand.	Theodor Fontane	Herr von Ribbeck auf Ribbeck im Havelland
    Kein Mensch muß müssen.	Gotthold Ephraim Lessing	Nathan der Weise, I.3
    „Mein Fräulein! sein Sie munter, / Das ist ein altes Stück; / Hier vorne geht sie unter / Und kehrt von hinten zurück.“	Heinrich Heine	Neue Gedichte, Seraphine, X
    Das Wehen der Luft, das Rieseln des Wassers, das Wachsen der Getreide, das Wogen des Meeres, das Grünen der Erde, das Glänzen des Himmels, das Schimmern der Gestirne halte ich für groß.	Adalbert Stifter	Bunte Steine, Vorrede
    Über allen Gipfeln / Ist Ruh, / In allen Wipfeln / Spürest du / Kaum einen Hauch.	Johann Wolfgang von Goethe	Ein Gleiches
    Weil, so schließt er messerscharf, / Nicht sein kann, was nicht sein darf.	Christian Morgenstern	Palmström, „Die unmögliche Tatsache“
    Genug ist nicht genug! Gepriesen werde / Der Herbst!	Conrad Ferdinand Meyer	Fülle
    Wer auf den Wind achtet, der sät nicht; und wer auf die Wolken sieht, der erntet nicht.	Die Bibel	Prediger 11,4 (Luther 1912)
    Es war, als hätt der Himmel / Die Erde still geküßt, / Daß sie im Blütenschimmer / Von ihm nun träumen müßt.	Joseph von Eichendorff	Mondnacht
    Wer nichts als Chemie versteht, versteht auch die nicht recht.	Georg Christoph Lichtenberg	Sudelbücher, J 860
    Raum ist in der kleinsten Hütte / Für ein glücklich liebend Paar.	Friedrich Schiller	Der Jüngling am Bache
    Im Nebel ruhet noch die Welt, / Noch träumen Wald und Wiesen.	Eduard Mörike	Septembermorgen
    Edel sei der Mensch, / Hilfreich und gut!	Johann Wolfgang von Goethe	Das Göttliche
    Musik wird oft nicht schön gefunden, / Weil sie stets mit Geräusch verbunden.	Wilhelm Busch	Dideldum!, „Der Maulwurf“
    Wo aber Gefahr ist, wächst / Das Rettende auch.	Friedrich Hölderlin	Patmos
    Alle Vögel sind schon da, / Alle Vögel, alle!	August Heinrich Hoffmann von Fallersleben	Alle Vögel sind schon da
    Der Nebel steigt, es fällt das Laub; / Schenk ein den Wein, den holden!	Theodor Storm	Oktoberlied
    Ich kann freilich nicht sagen, ob es besser werden wird, wenn es anders wird; aber so viel kann ich sagen: es muß anders werden, wenn es gut werden soll.	Georg Christoph Lichtenberg	Sudelbücher, K 293
    Wie herrlich leuchtet / Mir die Natur! / Wie glänzt die Sonne! / Wie lacht die Flur!	Johann Wolfgang von Goethe	Mailied
    Die Blätter fallen, fallen wie von weit, / Als welkten in den Himmeln ferne Gärten.	Rainer Maria Rilke	Herbst
    Die mit Tränen säen, werden mit Freuden ernten.	Die Bibel	Psalm 126,5 (Luther 1912)
    Aufsteigt der Strahl und fallend gießt / Er voll der Marmorschale Rund.	Conrad Ferdinand Meyer	Der römische Brunnen
    Es war einmal ein Lattenzaun, / Mit Zwischenraum, hindurchzuschaun.	Christian Morgenstern	Galgenlieder, „Der Lattenzaun“
    Früh übt sich, was ein Meister werden will.	Friedrich Schiller	Wilhelm Tell, III.1
    Komm! ins Offene, Freund!	Friedrich Hölderlin	Der Gang aufs Land
    Der Mond ist aufgegangen, / Die goldnen Sternlein prangen / Am Himmel hell und klar.	Matthias Claudius	Abendlied
    Du bist wie eine Blume, / So hold und schön und rein.	Heinrich Heine	Buch der Lieder, Die Heimkehr, XLVII
    Willst du immer weiter schweifen? / Sieh, das Gute liegt so nah.	Johann Wolfgang von Goethe	Erinnerung
    Wem Gott will rechte Gunst erweisen, / Den schickt er in die weite Welt.	Joseph von Eichendorff	Der frohe Wandersmann
    Gelassen stieg die Nacht ans Land, / Lehnt träumend an der Berge Wand.	Eduard Mörike	Um Mitternacht
    Die Axt im Haus erspart den Zimmermann.	Friedrich Schiller	Wilhelm Tell, III.1
    Herr: es ist Zeit. Der Sommer war sehr groß.	Rainer Maria Rilke	Herbsttag
    Vater werden ist nicht schwer, / Vater sein dagegen sehr.	Wilhelm Busch	Julchen
    """
}
