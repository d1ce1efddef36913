/**
 * controllers/quota/: the status of ResourceQuotas.
 *
 * `quotaController` sets `status.hard` and `status.used`: immediately for a new quota or new
 * limits, again when a limited object is deleted or finished, and every five minutes. Admission and
 * this controller count objects with the same code, in quota/. The garbage collector, which watches
 * all kinds, reports deleted objects to `QuotaKeySource`.
 *
 * Usage is counted from objects that are read from the server, never from a cache that can be older
 * than what admission has charged.
 */
export { quotaController } from './quota-controller.ts'
export { QuotaKeySource } from './quota-key-source.ts'
