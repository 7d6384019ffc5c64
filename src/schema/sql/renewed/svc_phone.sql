-- A phone in E.164, without its +, like `phoneNumber` of src/lib/phone.ts, which explains the plans; null for a text without a
-- number. Beside it, the last seven digits that the phone has in its spellings: several only if it is short.
CREATE OR REPLACE FUNCTION svc_phone(p_text text, p_country text, OUT number text, OUT ends text[])
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  trunks CONSTANT text[] := ARRAY['0', '', '1', '8', '06'];
  plans CONSTANT text[] := ARRAY[
    ' AE 971-9 AF 93-9 AL 355-9 AM 374-8 AR 54-10 AT 43-7 AU 61-9 AX 358-7 AZ 994-9 BA 387-8 BD 880-10'
      ' BE 32-9 BG 359-8 BL 590-9 BO 591-8 BR 55-10 CC 61-9 CD 243-7 CH 41-9 CN 86-11 CO 57-10 CU 53-8 CX 61-9'
      ' DE 49-10 DZ 213-9 EC 593-9 EG 20-10 EH 212-9 ER 291-7 ET 251-9 FI 358-7 FR 33-9 GB 44-10 GE 995-9'
      ' GF 594-9 GG 44-10 GH 233-9 GP 590-9 HR 385-8 ID 62-9 IE 353-9 IL 972-9 IM 44-10 IN 91-10 IQ 964-10'
      ' IR 98-10 JE 44-10 JO 962-9 JP 81-10 KE 254-9 KG 996-9 KH 855-8 KI 686-8 KP 850-10 KR 82-9 LA 856-9'
      ' LB 961-7 LI 423-7 LK 94-9 LR 231-7 LT 370-8 LY 218-9 MA 212-9 MC 377-8 MD 373-8 ME 382-8 MF 590-9'
      ' MG 261-9 MK 389-8 MM 95-7 MN 976-8 MQ 596-9 MW 265-9 MY 60-9 NA 264-9 NG 234-10 NL 31-9 NP 977-10'
      ' NZ 64-8 PE 51-9 PH 63-10 PK 92-10 PM 508-6 PS 970-9 PY 595-9 RE 262-9 RO 40-9 RS 381-8 RW 250-9'
      ' SA 966-9 SD 249-9 SE 46-9 SI 386-8 SK 421-9 SL 232-8 SO 252-7 SS 211-9 SY 963-9 TH 66-9 TR 90-10'
      ' TW 886-9 TZ 255-9 UA 380-9 UG 256-9 UY 598-8 VE 58-10 VN 84-9 XK 383-8 YE 967-9 YT 262-9 ZA 27-7'
      ' ZM 260-9 ZW 263-9',
    ' AC 247-5 AD 376-6 AO 244-9 AW 297-7 BF 226-8 BH 973-8 BI 257-8 BJ 229-10 BN 673-7 BQ 599-7 BT 975-8'
      ' BW 267-8 BZ 501-7 CF 236-8 CG 242-9 CI 225-10 CK 682-5 CL 56-9 CM 237-9 CR 506-8 CV 238-7 CW 599-7'
      ' CY 357-8 CZ 420-9 DJ 253-8 DK 45-8 EE 372-7 ES 34-9 FJ 679-7 FK 500-5 FM 691-7 FO 298-6 GA 241-7'
      ' GI 350-8 GL 299-6 GM 220-7 GN 224-9 GQ 240-9 GR 30-10 GT 502-8 GW 245-9 GY 592-7 HK 852-8 HN 504-8'
      ' HT 509-8 IO 246-7 IS 354-7 IT 39-9 KM 269-7 KW 965-8 LS 266-8 LU 352-9 LV 371-8 ML 223-8 MO 853-8'
      ' MR 222-8 MT 356-8 MU 230-8 MV 960-7 MX 52-10 MZ 258-9 NC 687-6 NE 227-8 NF 672-6 NI 505-8 NO 47-8'
      ' NR 674-7 NU 683-7 OM 968-8 PA 507-7 PF 689-8 PG 675-8 PL 48-9 PT 351-9 PW 680-7 QA 974-8 SB 677-7'
      ' SC 248-7 SG 65-8 SH 290-5 SJ 47-8 SM 378-8 SN 221-9 SR 597-7 ST 239-7 SV 503-8 SZ 268-8 TA 290-4'
      ' TD 235-8 TG 228-8 TJ 992-9 TK 690-4 TL 670-8 TN 216-8 TO 676-7 TV 688-6 UZ 998-9 VA 39-9 VU 678-7'
      ' WF 681-6 WS 685-7',
    ' AG 1-10 AI 1-10 AS 1-10 BB 1-10 BM 1-10 BS 1-10 CA 1-10 DM 1-10 DO 1-10 GD 1-10 GU 1-10 JM 1-10 KN 1-10'
      ' KY 1-10 LC 1-10 MH 692-7 MP 1-10 MS 1-10 PR 1-10 SX 1-10 TC 1-10 TT 1-10 US 1-10 VC 1-10 VG 1-10'
      ' VI 1-10',
    ' BY 375-9 KZ 7-10 RU 7-10 TM 993-8',
    ' HU 36-9'];
  written text := substring(normalize(p_text, NFKC) from '[+0-9][^[:alpha:]#*,\u003B]*');
  digits text := regexp_replace(written, '[^0-9]', '', 'g');
  is_abroad boolean := written LIKE '+%' OR digits LIKE '00%';
  home text[];
  code text := '';
  trunk text := '';
  shortest int := 0;
  rest text;
  place int;
BEGIN
  number := nullif(ltrim(digits, '0'), '');
  IF number IS NULL THEN
    RETURN;
  END IF;
  FOR i IN 1..5 LOOP
    place := strpos(plans[i], ' ' || p_country || ' ');
    IF place > 0 AND NOT is_abroad THEN
      home := string_to_array(split_part(substr(plans[i], place + 4), ' ', 1), '-');
      code := home[1];
      trunk := trunks[i];
      shortest := home[2]::int;
      number := CASE WHEN starts_with(digits, code) AND length(digits) >= length(code) + shortest
        THEN '' ELSE code END || digits;
    END IF;
    EXIT WHEN place > 0;
  END LOOP;
  <<all_plans>>
  FOR i IN 1..5 LOOP
    FOR size IN 1..3 LOOP
      EXIT all_plans WHEN code <> '';
      place := strpos(plans[i], ' ' || left(number, size) || '-');
      IF place > 0 THEN
        code := left(number, size);
        trunk := trunks[i];
        shortest := split_part(substr(plans[i], place + size + 2), ' ', 1)::int;
      END IF;
    END LOOP;
  END LOOP;
  rest := substr(number, length(code) + 1);
  IF (is_abroad OR home IS NOT NULL) AND starts_with(rest, trunk)
    AND (trunk LIKE '0%' OR length(rest) - length(trunk) >= shortest) THEN
    rest := substr(rest, length(trunk) + 1);
  END IF;
  number := code || rest;
  ends := ARRAY[right(rest, 7)];
  IF length(rest) < 7 THEN
    ends := ARRAY(
      SELECT DISTINCT right(repeat('0', zeros) || spelled, 7)
        FROM generate_series(0, 7) zeros,
             unnest(ARRAY[number, code || trunk || rest, rest, trunk || rest]) spelled);
  END IF;
END $$;
