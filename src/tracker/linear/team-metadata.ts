import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { CachedMetadata } from '../services/cached-metadata'
import { toInstant, WireInstant } from '../services/instants'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { collect } from '../services/requests/pages'
import { TrackerError } from '../services/requests/tracker-error'
import { UNTYPED } from '../services/type-labels'
import { findTypeLevel } from '../services/type-level'
import { createWorkItemType } from '../services/work-item-type'
import type { ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import type { LinearClient } from './linear-client'
import { fieldNames, type IssueMapping, nameCycle, toCategory } from './map-issue'

const WireNamed = z.object({ id: z.string(), name: z.string() })
const WireLabel = WireNamed.extend({ isGroup: z.boolean(), parent: z.object({ name: z.string() }).nullish() })
const WireCycle = z.object({
  id: z.string(),
  name: z.string().nullish(),
  number: z.number(),
  startsAt: WireInstant,
  endsAt: WireInstant,
})
const WireState = WireNamed.extend({ type: z.string(), position: z.number(), color: z.string() })
const WireMetadata = z.object({
  viewer: z.object({ id: z.string() }),
  teams: z.object({ nodes: z.array(WireNamed.extend({ states: z.object({ nodes: z.array(WireState) }) })) }),
  issueLabels: createPageShape(WireLabel),
  cycles: createPageShape(WireCycle),
  projects: createPageShape(WireNamed),
})

/** The lists that may take several pages. */
const LISTS = {
  issueLabels: { fields: 'id name isGroup parent { name }', shape: WireLabel, filter: 'IssueLabelFilter' },
  cycles: { fields: 'id name number startsAt endsAt', shape: WireCycle, filter: 'CycleFilter' },
  projects: { fields: 'id name', shape: WireNamed, filter: 'ProjectFilter' },
} as const

/** The order of the types of states in a workflow. */
const STATE_TYPES = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate']

/** What Linear knows about the team, besides its issues. */
export interface Metadata {
  /** The ID of the account of the token. */
  viewerId: string
  teamId: string
  states: { id: string; name: string; type: string; color: string }[]
  /** The labels of the team and of the workspace, with their groups: `Area/Gate`. */
  labels: { id: string; name: string }[]
  cycles: (z.output<typeof WireCycle> & { path: string })[]
  projects: { id: string; name: string }[]
}

/** The states, labels, cycles and projects of the team. */
export class TeamMetadata extends CachedMetadata<Metadata> {
  constructor(
    private readonly linear: LinearClient,
    private readonly mapping: IssueMapping,
    now: () => number,
  ) {
    super(linear.limits.processCacheMs, now)
  }

  async read(signal: AbortSignal): Promise<Metadata> {
    const { key, api } = this.linear.team
    const ofTeam = { team: { key: { eq: key } } }
    const filters = {
      // A label of the workspace has no team.
      issueLabels: { or: [{ team: { null: true } }, ofTeam] },
      cycles: ofTeam,
      projects: { accessibleTeams: { some: { key: { eq: key } } } },
    }
    const names = Object.keys(LISTS) as (keyof typeof LISTS)[]
    const lists = names.map(
      (name) => `${name}(first: 250, filter: $${name}) { nodes { ${LISTS[name].fields} } ${PAGE_INFO} }`,
    )
    const { viewer, teams, ...first } = await this.linear.ask(
      'viewer { id } teams(first: 1, filter: { key: { eq: $key } }) { nodes { id name ' +
        `states(first: 100) { nodes { id name type position color } } } } ${lists.join(' ')}`,
      {
        key: ['String!', key],
        ...Object.fromEntries(names.map((name) => [name, [LISTS[name].filter, filters[name]]])),
      },
      WireMetadata,
      signal,
    )
    const [team] = teams.nodes
    if (team === undefined) {
      const { names } = this.linear.http.access
      throw new TrackerError('invalid', `The team ${api.label} does not exist, or the token may not read it.`, {
        hint: `Check ${names.url} and ${names.project}, and that the API key has access to the team.`,
      })
    }
    /** Linear continues a list at its cursor. */
    const readRest = async <Name extends keyof typeof LISTS>(name: Name) => {
      const { entries, next } = first[name]
      if (next === null) return entries as z.output<(typeof LISTS)[Name]['shape']>[]
      const { fields, shape, filter } = LISTS[name]
      const query = { name, args: { filter: [filter, filters[name]] }, fields, shape } as const
      return (await collect(this.linear.readList(query, signal))) as z.output<(typeof LISTS)[Name]['shape']>[]
    }
    const labels = await readRest('issueLabels')
    const cycles = await readRest('cycles')
    const byFlow = ({ type, position }: z.output<typeof WireState>) => STATE_TYPES.indexOf(type) * 1e9 + position
    return {
      viewerId: viewer.id,
      teamId: team.id,
      states: [...team.states.nodes].sort((a, b) => byFlow(a) - byFlow(b)),
      labels: labels.flatMap(({ id, name, isGroup, parent }) =>
        isGroup ? [] : [{ id, name: parent ? `${parent.name}/${name}` : name }],
      ),
      cycles: cycles.map((cycle) => ({ ...cycle, path: nameCycle(cycle) })).sort((a, b) => a.number - b.number),
      projects: await readRest('projects'),
    }
  }

  async describeProcess(signal: AbortSignal): Promise<TrackerProcess> {
    const metadata = await this.get(signal)
    return {
      types: this.#listTypes(metadata),
      areaPaths: [],
      iterations: listIterations(metadata),
      fields: [...FIELDS],
    }
  }

  #listTypes({ labels, states }: Metadata): WorkItemType[] {
    const types = labels.flatMap(({ name }) => this.mapping.typeLabels.findType(name) ?? [])
    const ofFields = {
      title: fieldNames.title,
      description: fieldNames.description,
      fields: Object.values(fieldNames),
    }
    const all = states.map(({ name, type, color }) => ({
      name,
      category: toCategory(type),
      color: color.replace('#', ''),
    }))
    return [...new Set([...types, UNTYPED])].map((name) =>
      createWorkItemType({ name, level: findTypeLevel(name), states: all }, ofFields),
    )
  }

  /** The names of projects, which are the only ones of another field than those of properties. */
  async listAllowedValues(referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    return referenceName === fieldNames.project ? (await this.get(signal)).projects.map(({ name }) => name) : null
  }

  /** The labels that mean a type. */
  listTypeLabels({ labels }: Metadata, type: string): { id: string; name: string }[] {
    return labels.filter(({ name }) => equalsIgnoringCase(this.mapping.typeLabels.findType(name) ?? '', type))
  }
}

export function listIterations({ cycles }: Metadata): TrackerProcess['iterations'] {
  return cycles.map(({ path, startsAt, endsAt }) => ({
    path,
    startDate: toInstant(startsAt),
    finishDate: toInstant(endsAt),
  }))
}

/** The fields of issues. All teams have the same. */
export const FIELDS: readonly ProcessField[] = [
  createPropertyField(fieldNames.title, 'title'),
  createPropertyField(fieldNames.state, 'state'),
  createPropertyField(fieldNames.assignee, 'assignedTo'),
  createPropertyField(fieldNames.labels, 'tags'),
  createPropertyField(fieldNames.cycle, 'iterationPath', { name: 'Cycle' }),
  createPropertyField(fieldNames.estimate, 'storyPoints', { name: 'Estimate' }),
  createPropertyField(fieldNames.priority, 'priority', { kind: 'integer' }),
  createPropertyField(fieldNames.description, 'description', { isMarkdown: true }),
  createTypeField(fieldNames.type),
  { referenceName: fieldNames.project, name: 'Project', kind: 'string', readOnly: false, property: null },
  { referenceName: fieldNames.dueDate, name: 'Due date', kind: 'date', readOnly: false, property: null },
]
