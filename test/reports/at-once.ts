import { runAtOnce } from '../../src/kernel'
import * as figures from '../../src/reports/rules/figures'
import * as hierarchy from '../../src/reports/rules/hierarchy'

/** The rules of reports without pauses. */
export const buildFigures = (...args: Parameters<typeof figures.buildFigures>) =>
  runAtOnce(figures.buildFigures(...args))
export const buildHierarchy = (...args: Parameters<typeof hierarchy.buildHierarchy>) =>
  runAtOnce(hierarchy.buildHierarchy(...args))
