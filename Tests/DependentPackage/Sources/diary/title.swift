import Leaflog

func title(of entry: Entry) -> String {
  switch entry.kind {
  case .photo: entry.plant?.name ?? "photo"
  case .symptom, .dailyLog, .episode, .mood, .quote, .completion: "diary"
  @unknown default: "entry of a later version"
  }
}
