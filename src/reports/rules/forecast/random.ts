import type { Random } from '../../../kernel/random'

/** Draws from a normal distribution with mean 0 and standard deviation 1. */
export function drawNormal(random: Random): number {
  normal ??= tabulate((x) => Math.exp(-0.5 * x * x), [-5, 5])
  return drawFrom(random, normal)
}

let normal: Float64Array | undefined

/** Values of a gamma distribution with mean 1, each as likely as the others. */
export function tabulateGamma(shape: number): Float64Array {
  const known = gammas.get(shape)
  if (known) return known
  // Of the logarithm: small values are many if the shape is small.
  const values = tabulate((log) => Math.exp(shape * (log - Math.exp(log))), [-16, 4]).map(Math.exp)
  gammas.set(shape, values)
  return values
}

const gammas = new Map<number, Float64Array>()

export function drawFrom(random: Random, values: Float64Array): number {
  return values[Math.floor(random() * values.length)]!
}

const VALUES = 4_096

/** The middles of equally likely parts of a distribution. To draw one of them is several times as fast as to compute a value. */
function tabulate(densityOf: (x: number) => number, [low, high]: [number, number]): Float64Array {
  const step = (high - low) / VALUES
  const densities = Float64Array.from({ length: VALUES }, (_, i) => densityOf(low + (i + 0.5) * step))
  const part = densities.reduce((sum, one) => sum + one, 0) / VALUES
  let [cell, below] = [0, 0]
  return densities.map((_, i) => {
    const target = (i + 0.5) * part
    while (below + densities[cell]! < target) below += densities[cell++]!
    return low + (cell + (target - below) / densities[cell]!) * step
  })
}

/** A number of events whose mean is `mean`. Above 60 a rounded normal distribution, which is as good and does not take longer with it. */
export function drawPoisson(random: Random, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(random)))
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}

/** An index, each as likely as its weight. */
export function drawIndex(random: Random, weights: ArrayLike<number>, sum = 1): number {
  let rest = random() * sum
  for (let i = 0; i < weights.length - 1; i++) {
    rest -= weights[i]!
    if (rest < 0) return i
  }
  return weights.length - 1
}

/** ln Γ(x) for x > 0, by Lanczos. */
export function logGamma(x: number): number {
  const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5)
  const sum = LANCZOS.reduce((all, factor, i) => all + factor / (x + i + 1), 1.000000000190015)
  return -t + Math.log((2.5066282746310007 * sum) / x)
}

const LANCZOS = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.001208650973866179,
  -5.395239384953e-6,
]
