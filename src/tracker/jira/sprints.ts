import * as z from 'zod'
import { AsyncMemo, type MemoLifetime } from '../services/async-memo'
import { nullOnTrackerError } from '../services/change-result'
import { toInstantOrNull } from '../services/instants'
import { readPages } from '../services/requests/pages'
import type { TrackerProcess } from '../tracker'
import type { JiraClient } from './jira-client'
import type { WireIssue } from './map-issue'

const WireSprint = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string().optional(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
})
const WireBoards = z.object({ values: z.array(z.object({ id: z.int(), type: z.string().optional() })) })
const WireSprints = z.object({ values: z.array(WireSprint), isLast: z.boolean().default(true) })
export type WireSprint = z.output<typeof WireSprint>

/** A sprint as an issue of Cloud names it. Data Center names it in a text. */
const NamedSprints = z.array(WireSprint)

const MAX_NAMED = 10_000

type Iterations = TrackerProcess['iterations']

/** The sprints of the boards of the project, cached for some minutes, and those that issues have named. */
export class Sprints {
  readonly #all: AsyncMemo<WireSprint[] | null>
  readonly #named = new Map<number, WireSprint>()
  readonly #client: JiraClient
  readonly #findField: (signal: AbortSignal) => Promise<string | null>

  /** @param findField the ID of the field for sprints; null if the site has none */
  constructor(client: JiraClient, findField: (signal: AbortSignal) => Promise<string | null>, lifetime: MemoLifetime) {
    this.#client = client
    this.#findField = findField
    this.#all = new AsyncMemo((signal) => this.#read(signal), lifetime)
  }

  /** Null if the token cannot read them. */
  list = (signal: AbortSignal): Promise<WireSprint[] | null> => this.#all.get(signal)

  forget(): void {
    this.#all.forget()
  }

  async listIterations(signal: AbortSignal): Promise<Iterations | null> {
    return (await this.list(signal))?.map(toIteration) ?? null
  }

  /** Notes the sprints of issues that were read. */
  remember(wires: readonly WireIssue[], field: string | null): void {
    if (field === null) return
    if (this.#named.size > MAX_NAMED) this.#named.clear()
    for (const { fields } of wires) {
      const { data } = NamedSprints.safeParse(fields[field])
      for (const sprint of data ?? []) this.#named.set(sprint.id, sprint)
    }
  }

  /** The sprints that issues have named; null if none of them is active, because the active one must be known. */
  listNamedIterations(): Iterations | null {
    const named = [...this.#named.values()]
    return named.some(({ state }) => state === 'active') ? named.map(toIteration) : null
  }

  async #read(signal: AbortSignal): Promise<WireSprint[] | null> {
    if ((await this.#findField(signal)) === null) return []
    const base = '/rest/agile/1.0/board'
    const read = async () => {
      const query = { projectKeyOrId: this.#client.project.key, maxResults: 50 }
      const { values: boards } = await this.#client.get(base, query, WireBoards, signal)
      const sprints = new Map<number, WireSprint>()
      for (const { id } of boards.filter(({ type }) => type !== 'kanban')) {
        const pages = readPages(async (startAt) => {
          const path = `${base}/${id}/sprint`
          const { values, isLast } = await this.#client.get(path, { startAt: startAt ?? 0 }, WireSprints, signal)
          const next = isLast || values.length === 0 ? null : String(Number(startAt ?? 0) + values.length)
          return { entries: values, next }
        })
        for await (const page of pages) for (const sprint of page) sprints.set(sprint.id, sprint)
      }
      return [...sprints.values()]
    }
    return nullOnTrackerError(read())
  }
}

function toIteration({ name, startDate, endDate }: WireSprint): Iterations[number] {
  return { path: name, startDate: toInstantOrNull(startDate), finishDate: toInstantOrNull(endDate) }
}
