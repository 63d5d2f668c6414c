import type { Random } from '../../../kernel/random'

/** From a normal distribution with mean 0 and standard deviation 1, by Box and Muller. */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** From a gamma distribution with mean `shape`, by Marsaglia and Tsang (2000). */
export function drawGamma(random: Random, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = drawNormal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
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
