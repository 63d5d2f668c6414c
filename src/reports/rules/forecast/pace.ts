import { logGamma } from './random'

/**
 * What the record says of the pace. The pace of a team is not known and changes: each week its logarithm moves by a random step. How large
 * the steps are, and how far a single week is from the pace, differs between teams: each pair of both is a model, and each finished week
 * makes the models that expected it more likely. Source: the grid filter for state-space models of counts, Kitagawa (1987).
 */
export interface PaceBelief {
  /** The logarithms of the paces that are considered, in items a week. */
  logPaces: Float64Array
  models: PaceModel[]
}

interface PaceModel {
  /** The standard deviation of the weekly step of the logarithm. */
  drift: number
  /** The shape of the negative binomial distribution of a week: the smaller, the more the weeks differ at the same pace. */
  evenness: number
  /** From 0 to 1: how likely the model is. All are 1 together. */
  weight: number
  /** How likely each pace is now, by this model. */
  chances: Float64Array
}

const DRIFTS = [0.02, 0.04, 0.07, 0.1, 0.14]
const EVENNESSES = [1, 2, 4, 8, 20]
const GRID_STEP = 0.12
const MIN_PACE = 0.1
/** Two years: what was before says little about how a team works now. */
const MEMORY_WEEKS = 104
const FORGETTING = 1 - 1 / MEMORY_WEEKS

/**
 * What is believed after each number of weeks in `after`. `counts` has the work that was finished in each week, or null where the week says
 * nothing. Yields after each model.
 */
export function* learnPace(
  counts: readonly (number | null)[],
  after: ReadonlySet<number>,
): Generator<void, Map<number, PaceBelief>> {
  const logPaces = createGrid(counts)
  const likelihoodOf = EVENNESSES.map((evenness) => createLikelihoods(logPaces, evenness))
  const found = new Map([...after].map((week): [number, Evidence[]] => [week, []]))
  for (const drift of DRIFTS) {
    const kernel = createKernel(drift)
    for (const [at, evenness] of EVENNESSES.entries()) {
      let chances: Float64Array = new Float64Array(logPaces.length).fill(1 / logPaces.length)
      let evidence = 0
      found.get(0)?.push({ drift, evenness, chances, evidence })
      for (const [week, count] of counts.entries()) {
        const next = spread(chances, kernel)
        if (count === null) {
          chances = next
          found.get(week + 1)?.push({ drift, evenness, chances, evidence })
          continue
        }
        const likelihood = likelihoodOf[at]!(count)
        let sum = 0
        for (let i = 0; i < next.length; i++) sum += next[i]! *= likelihood[i]!
        // Beyond all that a number can tell apart, the week says nothing.
        if (sum > 0) {
          for (let i = 0; i < next.length; i++) next[i]! /= sum
          chances = next
        }
        evidence = evidence * FORGETTING + Math.log(Math.max(sum, Number.MIN_VALUE))
        found.get(week + 1)?.push({ drift, evenness, chances, evidence })
      }
      yield
    }
  }
  return new Map([...found].map(([week, models]) => [week, { logPaces, models: weigh(models) }]))
}

interface Evidence extends Omit<PaceModel, 'weight'> {
  /** The logarithm of how likely the record is by this model. */
  evidence: number
}

function weigh(models: readonly Evidence[]): PaceModel[] {
  const most = models.reduce((high, { evidence }) => Math.max(high, evidence), Number.NEGATIVE_INFINITY)
  const sum = models.reduce((all, { evidence }) => all + Math.exp(evidence - most), 0)
  return models.map(({ evidence, ...model }) => ({ ...model, weight: Math.exp(evidence - most) / sum }))
}

function createGrid(counts: readonly (number | null)[]): Float64Array {
  const low = Math.log(MIN_PACE)
  const high = Math.log(counts.reduce<number>((most, count) => Math.max(most, count ?? 0), 1) * 2.5)
  return Float64Array.from({ length: Math.ceil((high - low) / GRID_STEP) + 1 }, (_, i) => low + i * GRID_STEP)
}

/** How likely a count is at each pace, for the negative binomial distribution. Each count is computed once. */
function createLikelihoods(logPaces: Float64Array, evenness: number): (count: number) => Float64Array {
  const known = new Map<number, Float64Array>()
  return (count) => {
    const before = known.get(count)
    if (before) return before
    const ways = logGamma(count + evenness) - logGamma(evenness) - logGamma(count + 1)
    const likelihoods = logPaces.map((logPace) => {
      const all = Math.log(evenness + Math.exp(logPace))
      return Math.exp(ways + evenness * (Math.log(evenness) - all) + count * (logPace - all))
    })
    known.set(count, likelihoods)
    return likelihoods
  }
}

function createKernel(drift: number): Float64Array {
  const reach = Math.max(1, Math.ceil((3.5 * drift) / GRID_STEP))
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const steps = ((i - reach) * GRID_STEP) / drift
    return Math.exp(-0.5 * steps * steps)
  })
  const sum = kernel.reduce((all, one) => all + one, 0)
  return kernel.map((one) => one / sum)
}

/** Moves the chances by a step of the pace; at the ends of the grid they stay. */
function spread(chances: Float64Array, kernel: Float64Array): Float64Array {
  const reach = (kernel.length - 1) / 2
  const next = new Float64Array(chances.length)
  for (let i = 0; i < chances.length; i++) {
    const chance = chances[i]!
    if (chance < 1e-12) continue
    for (let j = -reach; j <= reach; j++) {
      const to = Math.min(chances.length - 1, Math.max(0, i + j))
      next[to]! += chance * kernel[j + reach]!
    }
  }
  return next
}

/** The pace that is as likely to be exceeded as not, in items a week, and what the likely models say of its change. */
export function describePace({ logPaces, models }: PaceBelief): { pace: number; drift: number; unevenness: number } {
  let rest = 0.5
  let at = 0
  for (; at < logPaces.length - 1; at++) {
    rest -= models.reduce((sum, { weight, chances }) => sum + weight * chances[at]!, 0)
    if (rest <= 0) break
  }
  const mean = (of: (model: PaceModel) => number) => models.reduce((sum, model) => sum + model.weight * of(model), 0)
  const pace = Math.exp(logPaces[at]!)
  return {
    pace,
    drift: mean(({ drift }) => drift),
    unevenness: mean(({ evenness }) => Math.sqrt(1 / evenness + 1 / pace)),
  }
}
