import { describe, expect, test } from 'vitest';
import { answering, senderWith, http, messageOf, now, refusalOf, useSender } from './bench.ts';
import { FonnteServer } from './fonnte.ts';

describe('A message through Fonnte', () => {
  const bench = useSender(new FonnteServer());
  const message = (text = 'Halo & selamat\nRp 1.000 = lunas?') =>
    messageOf({ medium: 'whatsapp', content: { text } });
  const send = (sent = message()) => bench.sender.send(sent, http, now);

  test('is sent as this request', async () => {
    await send();
    const { method, path, headers, body } = bench.provider.journal.at(-1) ?? {};
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/send',
      body: 'target=6281234567890&message=Halo+%26+selamat%0ARp+1.000+%3D+lunas%3F&countryCode=0',
    });
    expect(headers).toMatchObject({
      authorization: 'Qk3!fonnte+device',
      'content-type': 'application/x-www-form-urlencoded',
    });
  });

  test.each(['+15005550006', '+628123456789', '+4915112345678'])(
    'is sent to %s unchanged, without another calling code before it',
    async (recipient) => {
      await send({ ...message(), recipient });
      expect(bench.provider.sent().at(-1)?.to).toBe(recipient.slice(1));
    },
  );

  test.each([
    '+6281234567890,+6281234567891',
    '081234567890',
    '+0812345678',
    '6281|x',
    '+62 812 3',
    '',
  ])('is sent to one number of the form +62…, and not to %j', async (recipient) => {
    const before = bench.provider.journal.length;
    expect(await refusalOf(send({ ...message(), recipient }))).toMatchObject({
      kind: 'permanent',
      code: 'invalid_number',
    });
    expect(bench.provider.journal).toHaveLength(before);
  });

  test('is refused as a fault of the setup while the phone is not connected, or the quota is used up', async () => {
    bench.provider.connected = false;
    expect(await refusalOf(send())).toMatchObject({
      kind: 'setup',
      code: 'request_invalid_on_disconnected_device',
    });
    bench.provider.connected = true;
    bench.provider.quota = 0;
    expect(await refusalOf(send())).toMatchObject({ kind: 'setup', code: 'insufficient_quota' });
    bench.provider.quota = 1;
    expect(await send()).toMatch(/^\d+$/);
  });

  test('with a wrong token is refused as a fault of the setup', async () => {
    const sender = senderWith({ ...bench.provider.variables, FONNTE_TOKEN: 'wrong' }, 'fonnte');
    const refusal = await refusalOf(sender.send(message(), http, now));
    expect(refusal).toMatchObject({ kind: 'setup', code: 'token_invalid' });
  });

  test.each([
    ['token invalid', 'setup', 'token_invalid'],
    ['unknown user', 'setup', 'unknown_user'],
    ['invalid device', 'setup', 'invalid_device'],
    ['insufficient quota', 'setup', 'insufficient_quota'],
    ['request invalid on disconnected device', 'setup', 'request_invalid_on_disconnected_device'],
    ['target invalid', 'permanent', 'target_invalid'],
    ['input invalid', 'permanent', 'input_invalid'],
    ['JSON format invalid', 'permanent', 'JSON_format_invalid'],
    ['too many requests', 'temporary', 'too_many_requests'],
    ['6281234567890 is busy', 'temporary', 'is_busy'],
    ['', 'temporary', 'refused'],
  ])('that is refused with the reason %j is %s', async (reason, kind, code) => {
    for (const body of [
      { status: false, reason },
      { Status: false, reason },
    ]) {
      const sending = bench.sender.send(message(), answering(200, body), now);
      expect(await refusalOf(sending)).toMatchObject({ kind, code });
    }
  });

  test.each([
    [200, 'OK', 'unknown', 'unreadable_answer'],
    [200, {}, 'unknown', 'unreadable_answer'],
    [200, { status: 'yes' }, 'unknown', 'unreadable_answer'],
    [200, { status: false }, 'temporary', 'refused'],
    [500, { status: true }, 'unknown', '500'],
    [408, '', 'unknown', '408'],
    [503, '', 'temporary', '503'],
    [502, '<html>', 'unknown', '502'],
    [429, '', 'temporary', '429'],
    [401, '', 'setup', '401'],
    [404, '<html>', 'setup', '404'],
  ])('whose answer is %i %j is %s', async (status, body, kind, code) => {
    const sending = bench.sender.send(message(), answering(status, body), now);
    expect(await refusalOf(sending)).toMatchObject({ kind, code });
  });

  test.each([
    [{ status: true, id: ['1', '2'] }, '1'],
    [{ status: true, id: [80_367_170] }, '80367170'],
    [{ Status: true }, null],
    [{ status: true, id: 'x' }, null],
  ])('is accepted with %o, under the id %s', async (body, id) => {
    expect(await bench.sender.send(message(), answering(200, body), now)).toBe(id);
  });
});
