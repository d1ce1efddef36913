import { AggregatedApis, apiDeclaration, type ServeApiOptions } from '../../aggregated-api/index.ts'
import { APIService } from '../../kinds/index.ts'
import { emptyDeclaration } from './empty-declaration.ts'
import type { AnyOperator, ServedApi } from './operator-declaration.ts'

/**
 * An aggregated API: resources that the API server does not store, but forwards to this process. Use
 * it for values that are computed or kept in another database; for anything else a definition with
 * an operator is simpler. Pass the result to `start` or `run`, or export it, like an operator.
 */
export function serveApi(options: ServeApiOptions): AnyOperator {
  const api: ServedApi = {
    ...apiDeclaration(options),
    // Carried by the value, so that only programs that call this function contain the server.
    serve: (apis, parts) => new AggregatedApis(apis, parts),
  }
  const name = `${api.version}.${api.group}`
  return { declaration: { ...emptyDeclaration(APIService, { name }), api } }
}
