import loadHighs, { type Highs } from 'highs'
import { type IntegerProgram, toMatrix } from './relax-day'

/** What a solver knows of an integer program when its time is over. */
export interface Solution {
  /** No solution costs less. */
  least: number
  /** The value of each column in the best solution; null if none was found. */
  values: ArrayLike<number> | null
}

/** Rounding of the solver. Costs are whole numbers. */
const EPSILON = 1e-3
/** In place of no limit. */
const LONGEST_S = 3_600

type Program = Pick<IntegerProgram, 'columns' | 'rows'>

let loading: Promise<Highs> | null = null

/**
 * Solves with HiGHS, which is loaded at the first call. Its thread does nothing else meanwhile. Null if the time ends before it knows anything, or
 * if it fails, as without memory: a plan does not depend on it. The next call loads it again then.
 */
export async function solveProgram(program: Program, timeLimitMs: number): Promise<Solution | null> {
  loading ??= loadHighs()
  try {
    return runSolver(await loading, program, timeLimitMs)
  } catch {
    loading = null
    return null
  }
}

function runSolver(highs: Highs, { columns, rows }: Program, timeLimitMs: number): Solution | null {
  const matrix = { format: 'csc' as const, numRows: rows.length, numCols: columns.length, ...toMatrix(columns) }
  const model = highs.createModel({
    ...{ numCols: columns.length, numRows: rows.length, matrix },
    colCost: columns.map(({ cost }) => cost),
    colLower: columns.map(() => 0),
    colUpper: columns.map(({ upper }) => upper),
    rowLower: rows.map(({ lower }) => (Number.isFinite(lower) ? lower : -highs.infinity)),
    rowUpper: rows.map(({ upper }) => upper),
    integrality: columns.map(() => highs.constants.variableType.integer),
  })
  try {
    model.options.set({
      time_limit: Math.min(Math.max(0.01, timeLimitMs / 1000), LONGEST_S),
      mip_rel_gap: 0,
      presolve: 'off',
    })
    model.run()
    if (model.getModelStatus() === highs.constants.modelStatus.infeasible)
      return { least: Number.POSITIVE_INFINITY, values: null }
    const bound = Number(model.info.get('mip_dual_bound'))
    if (!Number.isFinite(bound)) return null
    const hasValues = model.info.get('primal_solution_status') === highs.constants.solutionStatus.feasible
    return { least: Math.max(0, Math.ceil(bound - EPSILON)), values: hasValues ? model.getSolution().colValue : null }
  } finally {
    model.dispose()
  }
}
