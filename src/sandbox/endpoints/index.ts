import type { Endpoint } from '../http/call'
import { accountEndpoints } from './account'
import { boardEndpoints } from './boards'
import { bulkEndpoints } from './bulk'
import { commentEndpoints } from './comments'
import { deltaEndpoints } from './delta'
import { historyEndpoints } from './history'
import { itemChangeEndpoints } from './item-changes'
import { itemEndpoints } from './items'
import { locationEndpoints } from './locations'
import { nodeEndpoints } from './nodes'
import { pageEndpoints } from './pages'
import { searchEndpoints } from './search'
import { typeEndpoints } from './types'
import { queryEndpoints } from './wiql'

/** All that the sandbox answers. */
export const endpoints: readonly Endpoint[] = [
  ...itemEndpoints,
  ...itemChangeEndpoints,
  ...bulkEndpoints,
  ...historyEndpoints,
  ...commentEndpoints,
  ...queryEndpoints,
  ...searchEndpoints,
  ...deltaEndpoints,
  ...nodeEndpoints,
  ...typeEndpoints,
  ...boardEndpoints,
  ...accountEndpoints,
  ...locationEndpoints,
  ...pageEndpoints,
]
