import type { Endpoint } from '../http/endpoint'
import { accountEndpoints } from './account'
import { backlogConfigurationEndpoints } from './backlog-configuration'
import { batchEndpoints } from './batch'
import { nodeEndpoints } from './classification-nodes'
import { commentEndpoints } from './comments'
import { historyEndpoints } from './history'
import { itemWriteEndpoints } from './item-writes'
import { itemEndpoints } from './items'
import { locationEndpoints } from './locations'
import { typeEndpoints } from './process'
import { reportingEndpoints } from './reporting'
import { searchEndpoints } from './search'
import { pageEndpoints } from './web-pages'
import { queryEndpoints } from './wiql'

/** All that the sandbox answers. */
export const endpoints: readonly Endpoint[] = [
  ...itemEndpoints,
  ...itemWriteEndpoints,
  ...batchEndpoints,
  ...historyEndpoints,
  ...commentEndpoints,
  ...queryEndpoints,
  ...searchEndpoints,
  ...reportingEndpoints,
  ...nodeEndpoints,
  ...typeEndpoints,
  ...backlogConfigurationEndpoints,
  ...accountEndpoints,
  ...locationEndpoints,
  ...pageEndpoints,
]
