/**
 * Node's HTTP module without an import. An import evaluates all exports of `node:http`, and since
 * Node 22 one of them loads another client including HTTP/2: 40 ms at every start, and ten
 * megabytes.
 */
export const nodeHttp = process.getBuiltinModule('node:http')
