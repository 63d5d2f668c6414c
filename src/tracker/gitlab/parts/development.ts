import * as z from 'zod'
import { findWebLinkKind } from '../../services/parts/web-link-kind'
import { nodes } from '../../services/requests/graphql-pages'
import type { WebLink, WebLinkReader } from '../../tracker-parts'
import type { ProjectClient } from '../project-client'

const WireMergeRequest = z.object({ id: z.string(), title: z.string(), webUrl: z.string().nullish() })

const WireLinks = z.object({
  closingMergeRequests: nodes(z.object({ mergeRequest: WireMergeRequest.nullable() })).nullish(),
  relatedMergeRequests: nodes(WireMergeRequest).nullish(),
  relatedBranches: nodes(z.object({ name: z.string(), comparePath: z.string().nullish() })).nullish(),
})

const LINKS = `... on WorkItemWidgetDevelopment {
  closingMergeRequests(first: 100) { nodes { mergeRequest { id title webUrl } } }
  relatedMergeRequests(first: 100) { nodes { id title webUrl } }
  relatedBranches(first: 100) { nodes { name comparePath } } }`

/** The merge requests and branches that GitLab has found to be about an item. It makes these links from texts and names. */
export function createWebLinkReader(graphql: ProjectClient): WebLinkReader {
  return {
    async list(itemId, signal) {
      const { widgets } = await graphql.queryWidgets(itemId, { select: LINKS }, WireLinks, signal)
      const { api, path } = graphql.address
      const links = new Map<string, WebLink>()
      const add = (id: string, url: string, title: string) =>
        links.set(url, { id, kind: findWebLinkKind(url), url, title })
      const closing = (widgets.closingMergeRequests?.nodes ?? []).flatMap(({ mergeRequest }) => mergeRequest ?? [])
      for (const { id, title, webUrl } of [...closing, ...(widgets.relatedMergeRequests?.nodes ?? [])])
        if (webUrl) add(id, webUrl, title)
      for (const { name, comparePath } of widgets.relatedBranches?.nodes ?? []) {
        const page = comparePath ?? `/${path}/-/tree/${name.split('/').map(encodeURIComponent).join('/')}`
        add(`branch/${name}`, new URL(page, api.base).href, name)
      }
      return [...links.values()]
    },
  }
}
