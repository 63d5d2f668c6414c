import * as z from 'zod'
import { nodes } from '../../services/requests/graphql-pages'
import { TrackerError } from '../../services/requests/tracker-error'
import { findWebLinkKind } from '../../services/web-link-kind'
import type { WebLink, WebLinkReader } from '../../tracker-parts'
import { toWorkItemId } from '../address'
import type { ProjectClient } from '../project-client'

const WireMergeRequest = z.object({ id: z.string(), title: z.string(), webUrl: z.string().nullish() })

const WireLinks = z.object({
  workItem: z
    .object({
      widgets: z
        .array(
          z.object({
            closingMergeRequests: nodes(z.object({ mergeRequest: WireMergeRequest.nullable() })).nullish(),
            relatedMergeRequests: nodes(WireMergeRequest).nullish(),
            relatedBranches: nodes(z.object({ name: z.string(), comparePath: z.string().nullish() })).nullish(),
          }),
        )
        .nullish(),
    })
    .nullable(),
})

const LINKS = `query($id: WorkItemID!) { workItem(id: $id) { widgets { ... on WorkItemWidgetDevelopment {
  closingMergeRequests(first: 100) { nodes { mergeRequest { id title webUrl } } }
  relatedMergeRequests(first: 100) { nodes { id title webUrl } }
  relatedBranches(first: 100) { nodes { name comparePath } } } } } }`

/** The merge requests and branches that GitLab has found to be about an item. It makes these links from texts and names. */
export function createWebLinkReader(graphql: ProjectClient): WebLinkReader {
  return {
    async list(itemId, signal) {
      const request = () => ({ query: LINKS, variables: { id: toWorkItemId(itemId) } })
      const { workItem } = await graphql.query(request, WireLinks, signal)
      if (workItem === null) throw new TrackerError('not_found', graphql.describeMissing(itemId))
      const { api, path } = graphql.address
      const links = new Map<string, WebLink>()
      for (const widget of workItem.widgets ?? []) {
        const closing = (widget.closingMergeRequests?.nodes ?? []).flatMap(({ mergeRequest }) => mergeRequest ?? [])
        for (const { id, title, webUrl } of [...closing, ...(widget.relatedMergeRequests?.nodes ?? [])])
          if (webUrl) links.set(webUrl, { id, kind: findWebLinkKind(webUrl), url: webUrl, title })
        for (const { name, comparePath } of widget.relatedBranches?.nodes ?? []) {
          const page = comparePath ?? `/${path}/-/tree/${name.split('/').map(encodeURIComponent).join('/')}`
          const url = new URL(page, api.base).href
          links.set(url, { id: `branch/${name}`, kind: findWebLinkKind(url), url, title: name })
        }
      }
      return [...links.values()]
    },
  }
}
