import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isRefusal } from '../../services/requests/tracker-error'
import type { WebLink, WebLinkEditor, WebLinkReader } from '../../tracker'
import { isMarkerUrl } from '../create-item'
import type { AdapterParts } from '../item-reader'
import { findPathInOrganization } from '../urls'
import type { WireRelation } from '../wire-schemas'
import { readAttribute } from './attachment-address'
import { changeRelations, type RelationOperation } from './change-relations'
import { type CodePlace, formatArtifact, formatCodePage, parseArtifact, parseCodePage } from './code-links'

const WireRepository = z.looseObject({
  id: z.string(),
  name: z.string(),
  project: z.looseObject({ id: z.string(), name: z.string() }),
})
type WireRepository = z.output<typeof WireRepository>

const KIND_NAMES = { 'pull-request': 'Pull request', commit: 'Commit', branch: 'Branch' } as const

/** Reads and changes the links of items to pages, pull requests, commits and branches. */
export function createWebLinks(parts: AdapterParts, webBase: string): { reader: WebLinkReader; editor: WebLinkEditor } {
  const { address, client, reader } = parts

  /** Null if the token cannot read the repository. */
  async function findRepository(
    { project, repository }: CodePlace,
    signal: AbortSignal,
  ): Promise<WireRepository | null> {
    const path = `/${encodeURIComponent(project)}/_apis/git/repositories/${encodeURIComponent(repository)}`
    try {
      return await client.read({ method: 'GET', path }, WireRepository, signal)
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }

  /** Names a repository as its page does. Without access to the code, its ID leads there too. */
  async function mapRelations(relations: readonly WireRelation[], signal: AbortSignal): Promise<WebLink[]> {
    const repositories = new Map<string, WireRepository | null>()
    const links: WebLink[] = []
    for (const relation of relations) {
      const place = relation.rel === 'ArtifactLink' ? parseArtifact(relation.url) : null
      if (place !== null) {
        const known = repositories.get(place.repository)
        const repository = known === undefined ? await findRepository(place, signal) : known
        repositories.set(place.repository, repository)
        const named =
          repository === null ? place : { ...place, project: repository.project.name, repository: repository.name }
        links.push(mapPlace(relation, named))
      } else if (relation.rel === 'Hyperlink' && !isMarkerUrl(relation.url)) links.push(mapPage(relation))
    }
    return links
  }

  function mapPlace(relation: WireRelation, place: CodePlace): WebLink {
    const title = readAttribute(relation.attributes, 'comment') || `${KIND_NAMES[place.kind]} ${place.value}`
    return { id: identify(relation), kind: place.kind, url: formatCodePage(webBase, place), title }
  }

  /** The relation that an address becomes. What the token cannot look up becomes a link to a page. */
  async function toRelation(url: string, title: string | null, signal: AbortSignal): Promise<WireRelation> {
    const comment = title === null ? {} : { comment: title }
    const path = findPathInOrganization(url, [address.base, webBase])
    const place = path === null ? null : parseCodePage(path, new URL(url).searchParams)
    const repository = place === null ? null : await findRepository(place, signal)
    if (place === null || repository === null) return { rel: 'Hyperlink', url, attributes: comment }
    const artifact = formatArtifact({ ...place, project: repository.project.id, repository: repository.id })
    return { rel: 'ArtifactLink', url: artifact.url, attributes: { ...comment, name: artifact.name } }
  }

  return {
    reader: {
      async list(itemId, signal) {
        const { relations } = await reader.readWire(itemId, signal)
        return mapRelations(relations ?? [], signal)
      },
    },
    editor: {
      async add({ itemId, url, title }, signal) {
        const value = await toRelation(url, title, signal)
        const isSame = (relation: WireRelation) => identify(relation) === identify(value)
        const outcome = await changeRelations(
          {
            itemId,
            plan: (relations): RelationOperation[] | null =>
              relations.some(isSame) ? null : [{ op: 'add', path: '/relations/-', value }],
          },
          signal,
          parts,
        )
        if (outcome.status !== 'done') return outcome
        const [link] = await mapRelations(outcome.relations.filter(isSame), signal)
        const message = 'The response of the tracker does not show the link.'
        return link ? { status: 'added', link } : { status: 'unknown', message }
      },
      async remove({ itemId, linkId }, signal) {
        const outcome = await changeRelations(
          {
            itemId,
            plan(relations): RelationOperation[] | null {
              const index = relations.findIndex((relation) => isWebLink(relation) && identify(relation) === linkId)
              return index < 0 ? null : [{ op: 'remove', path: `/relations/${index}` }]
            },
          },
          signal,
          parts,
        )
        return outcome.status === 'done' ? { status: 'deleted' } : outcome
      },
    },
  }
}

function mapPage(relation: WireRelation): WebLink {
  const title = readAttribute(relation.attributes, 'comment') || relation.url
  return { id: identify(relation), kind: 'page', url: relation.url, title }
}

function isWebLink({ rel }: WireRelation): boolean {
  return rel === 'Hyperlink' || rel === 'ArtifactLink'
}

/** Not every server numbers its relations, so kind and address identify one. The tracker ignores the case of artifacts. */
function identify({ rel, url }: WireRelation): string {
  const target = rel === 'ArtifactLink' ? decodeArtifact(url) : url
  return createHash('sha256').update(`${rel} ${target}`).digest('hex').slice(0, 12)
}

function decodeArtifact(url: string): string {
  const place = parseArtifact(url)
  return place === null ? url : formatArtifact(place).url.toLowerCase()
}
