import { JSONTransformer } from '@atlaskit/editor-json-transformer'
import { WikiMarkupTransformer } from '@atlaskit/editor-wikimarkup-transformer'

/** Parses wiki markup into a document of Atlassian, with their own parser. It is large, so it is loaded only for Data Center. */
export function parseWiki(wiki: string): unknown {
  return new JSONTransformer().encode(new WikiMarkupTransformer().parse(wiki))
}
