/** A generator of numbers from 0 (included) to 1: the same seed gives the same numbers on every machine. */
export type Random = () => number

/** The generator splitmix32 of Guy Steele and others, with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
  }
}
