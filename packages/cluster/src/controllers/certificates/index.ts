/**
 * certificates/: CertificateSigningRequests.
 *
 * `controllers/` starts the controllers: one approves requests of nodes, one signs approved requests,
 * one deletes old requests. `signer-rules` has the rules of the built-in signers, with the messages
 * of a real cluster. The CA key belongs to the cluster, which passes in a function that signs.
 */
export { certificateApprovalController } from './approval-controller.ts'
export { certificateCleaningController } from './cleaning-controller.ts'
export { certificateSigningController, type CertificateOrder } from './signing-controller.ts'
