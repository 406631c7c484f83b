/** Example values of the fields of documents, by `Type.field` or by the field alone. */
export const knowledgeExamples: Readonly<Record<string, unknown>> = {
  'Citation.place': 'Numbers > Primes',
  'DocumentNote.code': 'pages_without_text',
  'DocumentNote.message':
    '2 pages have no text. If they are scanned, run text recognition (OCR) on the file and upload it again.',
  'DocumentReading.encoding': 'utf-8',
  'DocumentReading.pages': 12,
  'NumberRange.first': 3,
  'NumberRange.last': 5,
  'RetrievalResult.place': 'Numbers > Primes',
  'UploadDocumentInput.encoding': 'windows-1252',
  'DocumentError.code': 'no_text',
  'DocumentError.message': 'The document holds no text, only pictures. Upload one whose text can be selected.',
};
