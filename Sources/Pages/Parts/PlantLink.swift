struct PlantLink {
  let id: String
  let name: String
}
