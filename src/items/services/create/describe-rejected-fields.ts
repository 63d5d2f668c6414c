import type { ErrorDetail } from '../../../kernel'
import type { Rejection, Tracker } from '../../../tracker'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** The fields that a rejection names, with the values that the tracker allows, as paths of the input that sets them. */
export async function describeRejectedFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  typeName: string,
  { fields = [] }: Pick<Rejection, 'fields'>,
): Promise<ErrorDetail[]> {
  if (fields.length === 0) return []
  const process = await tracker.describeProcess(ctx.signal, [])
  return Promise.all(
    fields.map(async ({ referenceName, message }) => {
      const name = process.fields.find((field) => field.referenceName === referenceName)?.name ?? referenceName
      const values = await tracker.listAllowedValues(typeName, referenceName, ctx.signal).catch(() => null)
      const choices = values === null ? '' : ` Use one of ${values.join(', ')}.`
      return { path: `updates.${name}`, message: `${message}${choices}` }
    }),
  )
}
