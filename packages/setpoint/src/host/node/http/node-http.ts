/**
 * Node's HTTP, taken from where it is. An import reads all that `node:http` exports, and since Node 22 one of these loads
 * another client, HTTP/2 included: 40 ms at every start, and ten megabytes.
 */
export const nodeHttp = process.getBuiltinModule('node:http')
