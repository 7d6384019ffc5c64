UPDATE "staff_roles" SET "scopes" = "scopes" || '{files:read}' WHERE "id" = 5 AND "version" = 1;
