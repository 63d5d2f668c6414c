import { createRandom, type Random } from '../../../../src/kernel/random'
import { drawPoisson } from '../../../../src/reports/rules/forecast/random'
import type { Days } from './judged-forecasts'

/** A team whose pace changes as `pace` says; a week differs from it by chance. */
function inventTeam(weeks: number, pace: (week: number) => number, seed: number): Days {
  const random = createRandom(seed)
  return Array.from({ length: weeks }, (_, week) => {
    const count = drawPoisson(random, (pace(week) * drawGamma(random, 4)) / 4)
    const days = new Array<number>(7).fill(0)
    for (let i = 0; i < count; i++) days[Math.floor(random() * 5)]!++
    return days
  }).flat()
}

function wander(seed: number, step: number): (week: number) => number {
  const random = createRandom(seed)
  const paces: number[] = []
  return (week) => {
    while (paces.length <= week) paces.push((paces.at(-1) ?? 6) * Math.exp(step * drawNormal(random)))
    return Math.min(30, Math.max(1.5, paces[week]!))
  }
}

/** Works for some weeks, then for some not. */
function pause(seed: number, [stops, starts]: [number, number]): (week: number) => number {
  const random = createRandom(seed)
  let works = true
  return () => {
    works = works ? random() > stops : random() < starts
    return works ? 7 : 0
  }
}

export const inventedTeams: Record<string, () => Days> = {
  'a steady team': () => inventTeam(150, () => 7, 3),
  'a team that grows': () => inventTeam(170, (week) => 3 + week / 12, 4),
  'a team that shrinks': () => inventTeam(170, (week) => 16 - week / 14, 5),
  'a team whose pace wanders': () => inventTeam(200, wander(6, 0.08), 7),
  'a team that pauses': () => inventTeam(200, pause(8, [0.06, 0.25]), 6),
  'a team that pauses long': () => inventTeam(200, pause(9, [0.03, 0.1]), 6),
  'a team that finishes in batches': () => inventTeam(170, (week) => (week % 4 === 3 ? 24 : 0.5), 9),
  'a team with seasons': () => inventTeam(208, (week) => 6 * (1 + 0.6 * Math.sin((week / 52) * 2 * Math.PI)), 10),
}

/** Not as the forecast draws: by Box and Muller. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** By Marsaglia and Tsang (2000). */
function drawGamma(random: Random, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = drawNormal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}
