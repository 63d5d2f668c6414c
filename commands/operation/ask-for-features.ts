import type { ResultOf } from '../../src/catalog'
import { ask } from '../terminal/ask'
import { printableLine } from '../terminal/printable'
import type { RunOther } from './command-parts'

type Features = ResultOf<'features.list'>
type Feature = Features['features'][number]

/** As many as one call lists; with more features the tracker is searched for what the user types. */
const MAX_LISTED = 200
const SHOWN = 15

/** Lets the user pick features of the tracker, one after another. */
export async function askForFeatures(run: RunOther): Promise<Record<string, unknown>> {
  const search = async (title?: string) => (await run('features.list', { title, count: MAX_LISTED })) as Features
  const all = await search()
  const picked = new Map<number, Feature>()
  const source = async (typed: string | undefined) => {
    const text = typed?.trim() ?? ''
    const isComplete = all.total <= all.features.length || text === ''
    const { features } = isComplete ? all : await search(text)
    const matching = features.filter(
      ({ id, reference, title }) =>
        !picked.has(id) && `${reference} ${title}`.toLowerCase().includes(text.toLowerCase()),
    )
    return [...endChoice(picked), ...matching.map(toChoice)]
  }
  for (;;) {
    const message = picked.size === 0 ? 'Feature to import:' : 'Another one:'
    const question = { type: 'search', name: 'feature', message, pageSize: SHOWN, source }
    const { feature } = (await ask([question], 'Nothing was imported.')) as { feature: Feature | null }
    if (feature === null) break
    picked.set(feature.id, feature)
  }
  const ids = [...picked.keys()]
  return ids.length === 1 ? { featureId: ids[0] } : { featureIds: ids }
}

function endChoice(picked: ReadonlyMap<number, Feature>): object[] {
  if (picked.size === 0) return []
  const names = [...picked.values()].map(({ reference }) => printableLine(reference)).join(', ')
  return [{ name: `Import ${names}`, short: 'Import', value: null }]
}

function toChoice(feature: Feature): object {
  const { type, state, cached } = feature
  const [name, text] = [printableLine(feature.reference), printableLine(feature.title)]
  const note = cached ? ', imported before' : ''
  return {
    name: `${name}  ${text}  (${printableLine(type)}, ${printableLine(state)}${note})`,
    short: `${name} ${text}`,
    value: feature,
  }
}
