import { Migration } from '@mikro-orm/migrations';

/** Adds the normal form of text for SQL. A test compares it with `src/core/text/normal-form.ts`. */
export class Migration0220NormalForm extends Migration {
  override up(): void {
    this.addSql(normalForm);
  }
}

const omitted = String.raw`\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u135d-\u135f\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef`;
const arabicLetters = String.raw`\u0649\u06cc\u06a9\u0629\u06c1\u06d5\u0671`;
const digits = String.raw`\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669\u06f0\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9\u0966\u0967\u0968\u0969\u096a\u096b\u096c\u096d\u096e\u096f\u09e6\u09e7\u09e8\u09e9\u09ea\u09eb\u09ec\u09ed\u09ee\u09ef`;

const normalForm = String.raw`
create function normal_form(given text) returns text language plpgsql immutable strict parallel safe as $$
declare
  form text collate "C";
begin
  if octet_length(given) = length(given) then
    return lower(given collate "C");
  end if;
  form := regexp_replace(normalize(given collate "C", NFKD), '[${omitted}]', '', 'g');
  form := lower(normalize(form, NFKC) collate "und-x-icu");
  form := translate(form, 'ςøłđıðħŧŋ', 'σoldidhtn');
  form := translate(form, E'${arabicLetters}', E'\u064a\u064a\u0643\u0647\u0647\u0647\u0627');
  form := translate(form, E'${digits}', repeat('0123456789', 4));
  return replace(replace(replace(replace(form, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end $$`;
