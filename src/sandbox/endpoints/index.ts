import type { Endpoint } from '../http/endpoint'
import { batchEndpoints } from './batch'
import { nodeEndpoints } from './classification-nodes'
import { accountEndpoints, locationEndpoints } from './discovery'
import { commentEndpoints, historyEndpoints } from './history'
import { itemEndpoints, itemWriteEndpoints } from './items'
import { backlogConfigurationEndpoints, typeEndpoints } from './process'
import { reportingEndpoints } from './reporting'
import { searchEndpoints } from './search'
import { pageEndpoints } from './web-pages'
import { queryEndpoints } from './wiql'

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
