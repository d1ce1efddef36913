/**
 * Thrown by a handler, or by the stream of a response, to break the connection of its client without
 * an answer or without the rest of it. Servers for tests use it.
 */
export class CutConnection extends Error {
  constructor() {
    super('the server broke the connection')
    this.name = 'CutConnection'
  }
}
