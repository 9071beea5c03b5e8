internal import CVips

extension VipsPicture {
  /// The 8-bit sRGB picture with its light and colours corrected.
  func exposed(by exposure: Exposure) throws -> VipsPicture {
    let colour = exposure.colour
    let mixed =
      colour.mixes ? try Vips.image { leaflog_mix(pointer, colour.matrix) } : self
    return try Vips.image { leaflog_map(mixed.pointer, exposure.table) }
  }

  /// The same, with the correction limited so that the shares of pixels clipped in each channel and in
  /// any channel stay nearly the same. The result is in memory.
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

  /// The permitted increase in the share of clipped pixels. It is half of the percentage point that no
  /// frame may exceed, as encoders also raise samples a little.
  private static let clippingBudget = 0.005
  /// Finds the strength to 1/32 of a correction.
  private static let attemptCount = 5
  /// Samples at or above this count as clipped, as in the registration.
  private static let clipped: CInt = 250

  /// The shares of pixels clipped in any channel, in red, in green and in blue; 0...1.
  private func clippedShares() throws -> SIMD4<Double> {
    var shares = [0.0, 0, 0, 0]
    _ = try Vips.call {
      leaflog_bright_shares(pointer, Self.clipped, &shares) == 0 ? true : nil
    }
    return SIMD4(shares)
  }
}
