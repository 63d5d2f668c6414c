import { postAttachment, putAttachmentChunk, readAttachment } from '../endpoints/attachments'
import { runBatch } from '../endpoints/batch'
import { getNode, listNodes } from '../endpoints/classification-nodes'
import { addComment, deleteComment, getComment, listComments, patchComment } from '../endpoints/comments'
import { getConnectionData, getProject, getRepository, listLocations, listProjects } from '../endpoints/discovery'
import { getUpdate, listUpdates } from '../endpoints/history'
import {
  deleteItem,
  getDeletedItem,
  getItem,
  listDeletedItems,
  listItems,
  patchItem,
  postItem,
  postItemsBatch,
  restoreDeletedItem,
} from '../endpoints/items'
import {
  getBacklogConfiguration,
  getField,
  getFieldOfType,
  getType,
  listCategories,
  listFields,
  listStates,
  listTypes,
} from '../endpoints/process'
import { getQuery, listQueries, runSavedQuery } from '../endpoints/queries'
import { listLinkChanges, listRevisions } from '../endpoints/reporting'
import { search } from '../endpoints/search'
import { getFrontPage, getItemPage } from '../endpoints/web-pages'
import { runQuery } from '../endpoints/wiql'
import type { Handler } from './endpoint'

/** By method and path below the organization and the project. */
export const reads: Record<string, Handler> = {
  'GET /_apis/wit/workitems': listItems,
  'GET /_apis/wit/workitems/:id': getItem,
  'POST /_apis/wit/workitemsbatch': postItemsBatch,
  'GET /_apis/wit/workitems/:id/updates': listUpdates,
  'GET /_apis/wit/workitems/:id/updates/:number': getUpdate,
  'GET /_apis/wit/workitems/:id/comments': listComments,
  'GET /_apis/wit/workitems/:id/comments/:commentId': getComment,
  'GET /_apis/wit/attachments/:id': readAttachment,
  'POST /_apis/wit/wiql': runQuery,
  'GET /_apis/wit/wiql/:id': runSavedQuery,
  'GET /_apis/wit/queries': listQueries,
  'GET /_apis/wit/queries/*query': getQuery,
  'POST /_apis/search/workitemsearchresults': search,
  'GET /_apis/wit/reporting/workitemrevisions': listRevisions,
  'GET /_apis/wit/reporting/workitemlinks': listLinkChanges,
  'GET /_apis/wit/recyclebin': listDeletedItems,
  'GET /_apis/wit/recyclebin/:id': getDeletedItem,
  'GET /_apis/wit/classificationnodes': listNodes,
  'GET /_apis/wit/classificationnodes/:group': getNode,
  'GET /_apis/wit/classificationnodes/:group/*path': getNode,
  'GET /_apis/wit/workitemtypes': listTypes,
  'GET /_apis/wit/workitemtypes/:type': getType,
  'GET /_apis/wit/workitemtypes/:type/states': listStates,
  'GET /_apis/wit/workitemtypes/:type/fields/:field': getFieldOfType,
  'GET /_apis/wit/workitemtypecategories': listCategories,
  'GET /_apis/wit/fields': listFields,
  'GET /_apis/wit/fields/:field': getField,
  'GET /_apis/work/backlogconfiguration': getBacklogConfiguration,
  'GET /_apis/connectiondata': getConnectionData,
  'GET /_apis/projects': listProjects,
  'GET /_apis/git/repositories/:repository': getRepository,
  'GET /_apis/projects/:project': getProject,
  'OPTIONS /_apis': listLocations,
  'OPTIONS /_apis/:area': listLocations,
  // A server without areas on other hosts gives this answer.
  'GET /_apis/resourceareas': () => ({ count: 0, value: null }),
  'GET /_workitems/edit/:id': getItemPage,
  'GET /': getFrontPage,
}

/** These run one at a time, and their changes are saved. */
export const writes: Record<string, Handler> = {
  'POST /_apis/wit/workitems/$:type': postItem,
  // A batch creates items by PATCH.
  'PATCH /_apis/wit/workitems/$:type': postItem,
  'PATCH /_apis/wit/workitems/:id': patchItem,
  'DELETE /_apis/wit/workitems/:id': deleteItem,
  'PATCH /_apis/wit/recyclebin/:id': restoreDeletedItem,
  'POST /_apis/wit/workitems/:id/comments': addComment,
  'PATCH /_apis/wit/workitems/:id/comments/:commentId': patchComment,
  'DELETE /_apis/wit/workitems/:id/comments/:commentId': deleteComment,
  'POST /_apis/wit/attachments': postAttachment,
  'PUT /_apis/wit/attachments/:id': putAttachmentChunk,
  'PATCH /_apis/wit/$batch': runBatch,
}
