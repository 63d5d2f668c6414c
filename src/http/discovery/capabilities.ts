import type { AnyOperation } from '../../kernel'
import { HOOKS_PATH } from '../../tracker/hooks-path'
import { documentedAt } from './documented-api'

/** A part of the API in the handshake, in the texts for models and on the page. */
interface Part {
  id: string
  name: string
  description: string
  /** Prefixes. A path belongs to the first part that has a prefix of it. */
  paths: readonly string[]
  /** True if the handshake lists it among the related capabilities. */
  isRelated?: true
}

export interface Capability extends Part {
  operations: AnyOperation[]
}

const parts: readonly Part[] = [
  {
    id: 'devops_items',
    name: 'Tracker items',
    description:
      'Work items of the remote tracker: fetch and save snapshots, compare revisions, search, and list types, states, areas and iterations.',
    paths: ['/api/devops', HOOKS_PATH],
  },
  {
    id: 'fast_search',
    name: 'Fast search',
    description: 'Ranked full-text search over cached work items, drafts and folders, on this machine.',
    paths: ['/api/search'],
  },
  {
    id: 'story_drafts',
    name: 'Story drafts',
    description: 'Drafts and their folders: copy a work item into a clean draft, edit, move and delete.',
    paths: ['/api/stories', '/api/folders'],
  },
  {
    id: 'helper_workspace',
    name: 'Helper workspace',
    description: 'The cached work items: list, filter, save filters, synchronize, and change many at once.',
    paths: ['/api/helper'],
  },
  {
    id: 'reporting_hierarchy',
    name: 'Reporting and import',
    description:
      'Import of feature trees, the feature hierarchy with totals and blockers, the summary, the briefing, priorities.',
    paths: ['/api/reporting', '/api/tracker', '/api/planner'],
  },
  {
    id: 'llm_ai',
    name: 'Language model',
    description: 'A language model on your own host: models, chat, streamed chat and prompt templates.',
    paths: ['/api/llm', '/api/chat', '/api/prompts'],
  },
  {
    id: 'dock_scheduling',
    name: 'Dock scheduling',
    description:
      "Loading docks: book the earliest free slot, find, move and cancel appointments. Requires a tenant's key.",
    paths: [
      '/api/appointments',
      '/api/attachments',
      '/api/holds',
      '/api/facilities',
      '/api/doors',
      '/api/waitlist',
      '/api/series',
      '/api/gate-links',
      '/api/trailers',
      '/api/carrier-invitations',
      '/api/webhooks',
      '/api/mail-templates',
    ],
    isRelated: true,
  },
  {
    id: 'service',
    name: 'The service',
    description: 'Health, the descriptions of the service, and its administration.',
    paths: ['/'],
    isRelated: true,
  },
]

/** Every part with its operations, in the order of the catalog. */
export function capabilitiesOf(operations: readonly AnyOperation[]): Capability[] {
  return parts.map((part) => ({
    ...part,
    operations: operations.filter((op) => op.http && partOf(op.http.path) === part),
  }))
}

export function partOf(path: string): Part {
  return parts.find((part) => part.paths.some((start) => path.startsWith(start)))!
}

/** `POST /api/stories/move` */
export function callOf(op: AnyOperation): string {
  return `${op.http!.method.toUpperCase()} ${op.http!.path}`
}

export function isAddition(op: AnyOperation): boolean {
  return documentedAt(op.http!.method, op.http!.path) === null
}
