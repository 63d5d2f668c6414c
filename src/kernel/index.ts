export * from './access'
export * from './actor'
export { afterParts, ofThePart } from './after-parts'
export { authorize, dockKeyHint, type Guarded, isAuthorized, roleFor } from './authorize'
export * from './call-recorder'
export * from './context'
export * from './errors'
export { execute, executeStream, parseInput } from './execute'
export * from './finding'
export * from './hint'
export { argumentField, describeField, type Flag, flagsOf, toCamelCase } from './input/cli-flags'
export { formatCommandLine } from './input/command-line'
export { findNeed, type OffersCapability } from './input/field-needs'
export {
  type Field,
  fieldAt,
  fieldsOf,
  formToValues,
  isRecordField,
  matchesPattern,
  textToValues,
} from './input/fields'
export { boundDetails, detailsOf, inputError, mapErrorFields, wordsFor } from './input/input-error'
export {
  compareValues,
  type ListOrder,
  type ListWindow,
  newestFirst,
  type OrderValue,
  orderedById,
} from './input/list-order'
export { executePage, givesPages, type ListPage, type PageRequest, pageOf } from './input/list-page'
export * from './operation'
export type { OperationId } from './operation-id'
export { createPlanChangedError, isBoundToPlan, newPlanOf, settleLongPlan, settlePlan } from './plan'
export * from './text/storable-text'
export {
  type Background,
  compute,
  computeElsewhere,
  isLong,
  type PureTask,
  pureTasks,
  type TaskOwner,
  uninterrupted,
} from './work/background'
export { checkpoint, createTooComplexError, runAtOnce, runInTurns, withinTransaction } from './work/budget'
