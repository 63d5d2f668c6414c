import { saveAverages } from '../../../src/search/queries/entries'
import { averageFieldLengths } from '../../../src/search/rules/count-terms'
import { createTokenStemmer } from '../../../src/search/rules/stem'
import { ServerIndex } from '../../../src/search/server-index/server-index'
import { analyzeEntity, storeEntities, WordFormSet } from '../../../src/search/server-index/store-entities'
import { type Entity, encodeEntityKey } from '../../../src/search/services/entity'
import { type Database, tables } from '../../../src/storage'
import { AT } from '../desk'

const stemToken = createTokenStemmer()

/** An index on a server over entities. Work items are rows too, because filter values are read from those. */
export async function serverIndexOf(db: Database, entities: readonly Entity[]): Promise<ServerIndex> {
  const known = new Map(entities.map((entity) => [encodeEntityKey(entity), entity]))
  await db.write(
    async (tx) => {
      await saveAverages(
        tx,
        averageFieldLengths(entities.map((entity) => analyzeEntity(entity, stemToken, new WordFormSet()))),
        'replace',
      )
      await storeEntities(tx, entities, { stemToken, at: AT })
      const rows = entities.filter(({ type }) => type === 'devops').map(workItemRow)
      if (rows.length > 0) await tables<{ work_item: WorkItemRow }>(tx).insertInto('work_item').values(rows).execute()
    },
    { locksRows: true },
  )
  return new ServerIndex(
    (work) => db.read(work),
    async (_, keys) => new Map(keys.map((key) => [key, known.get(key)!])),
  )
}

type WorkItemRow = ReturnType<typeof workItemRow>

function workItemRow(entity: Entity) {
  return {
    id: entity.id,
    rev: 1,
    type: entity.itemType ?? '',
    title: entity.title,
    state: entity.state ?? '',
    assigned_name: entity.assignedTo?.displayName ?? null,
    area_path: entity.areaPath ?? '',
    iteration_path: entity.iterationPath ?? '',
    tags: JSON.stringify(entity.tags),
    priority: entity.priority,
    reference: entity.reference,
    predecessors: '[]',
    blocked_field: 0,
    url: '',
    changed_at: AT,
    relations_fingerprint: '',
    remote_rev: 1,
    fetched_at: AT,
  }
}
