internal import CVips

extension VipsPicture {
  /// An 8-bit sRGB picture with a correction of its light and colours.
  func exposed(by exposure: Exposure) throws -> VipsPicture {
    let colour = exposure.colour
    let mixed =
      colour.mixes ? try Vips.image { leaflog_mix(pointer, colour.matrix) } : self
    return try Vips.image { leaflog_map(mixed.pointer, exposure.table) }
  }

  /// The same, with no more of the correction than leaves the share of clipped pixels, in each
  /// channel and in all of them, nearly as it was. In memory.
  func exposedWithoutClipping(by exposure: Exposure) throws -> VipsPicture {
    guard exposure != .identity else { return self }
    let limits = try clippedShares() + Self.clippingBudget
    func attempt(_ strength: Double) throws -> VipsPicture? {
      let result = try exposed(by: exposure.scaled(by: strength)).inMemory()
      return try all(result.clippedShares() .<= limits) ? result : nil
    }
    if let whole = try attempt(1) { return whole }
    var (strength, step) = (0.0, 0.5)
    var best = self
    for _ in 0..<Self.attemptCount {
      if let result = try attempt(strength + step) {
        best = result
        strength += step
      }
      step /= 2
    }
    return best
  }

  /// The share by which clipped pixels may become more. Encoders lift samples a little too, so it
  /// is half of the percentage point that no frame is to exceed.
  private static let clippingBudget = 0.005
  /// To the 32nd part of a correction.
  private static let attemptCount = 5
  /// Samples of this and above are taken for clipped, as the registration does.
  private static let clipped: CInt = 250

  /// In any channel, in red, in green and in blue; 0...1.
  private func clippedShares() throws -> SIMD4<Double> {
    var shares = [0.0, 0, 0, 0]
    _ = try Vips.call {
      leaflog_bright_shares(pointer, Self.clipped, &shares) == 0 ? true : nil
    }
    return SIMD4(shares)
  }
}
