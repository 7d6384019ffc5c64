ALTER TABLE "commissions" DROP CONSTRAINT "commissions_payout_id_payouts_id_fk";
