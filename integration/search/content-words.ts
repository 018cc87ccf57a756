/**
 * Function words of questions, by language: words that a question has whatever it is about. Of the languages in Latin script, a
 * question is in the one of which it has most words. All lists are needed at once, since readers ask in other languages than that
 * of the docs; a language without a list works too, with less precise answers.
 */
import { isQuestionStopWord, isStopWord } from './stop-words.ts';
import { stemOf, toTerm } from './tokenize.ts';

/** The words of a question without its function words, in order, verbatim. */
export function contentWords(question: string): { word: string; isFirst: boolean }[] {
  const words = wordsIn(question.replace(unspacedFunctionWords, ' '));
  const isFunctionWord = functionWordsFor(words.map(plain));
  const [first] = wordsIn(question);
  return words.flatMap((word, i) => (isFunctionWord(plain(word)) ? [] : [{ word, isFirst: i === 0 && word === first }]));
}

/** Whether a word with this stem fits any question, so that it says little about the subject. */
export function isGeneric(stem: string): boolean {
  return generic.has(stem);
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? [];
}

function functionWordsFor(words: string[]): (word: string) => boolean {
  let most = words.filter(isEnglish).length;
  let isOfLanguage = isEnglish;
  for (const list of latin) {
    const count = words.filter((word) => list.has(word)).length;
    if (count <= most) continue;
    most = count;
    isOfLanguage = (word) => list.has(word);
  }
  return (word) => isOfLanguage(word) || otherScripts.has(word);
}

function isEnglish(word: string): boolean {
  return isStopWord(word) || isQuestionStopWord(word) || english.has(word);
}

function plain(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

const set = (words: string) => new Set(words.split(' ').map(plain));

// Besides the stop words of search.
const english = set(
  'after again along already although anyway around became become before between both called come comes different difference ' +
    'during each either exactly far first following further happen happens help instead know known last later less long many may maybe ' +
    'me mean means might next none nothing now often once order own per possible properly really reason right said say says seem ' +
    'simply soon sort sure take takes tell though through thing things together total under until usually various via whether whole ' +
    'within without wonder work works best better able good correct correctly actually currently directly easily quickly ' +
    'hello hi hey thanks thank problem question answer explain describe cannot above below used using uses ' +
    'everything anywhere somewhere everywhere nobody somebody everybody look looks looking',
);

const latin = [
  // German
  'aber alle allem allen als also am an auch auf aus bei beim bin bis bitte da dabei damit dann das dass dein dem den denn der des die dies diese ' +
    'diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas fur gibt ' +
    'hat hatte hast habe haben ich ihr ihre im in ist ja jede jeder jedes jetzt kann kannst kein keine konnen konnte lange macht man mehr mein meine meinem ' +
    'meinen mich mir mit muss mussen nach nicht noch nur ob oder ohne sein seine sich sie sind so soll sollte sollten tun uber um und uns ' +
    'unter vom von vor wann war warum was weg welche welchem welchen welcher welches wenn wer werde werden wie wieso wieviel viel viele wieder wir wird wo ' +
    'wodurch wofur woher wohin womit wozu wurde zu zum zur zwischen oft hoch',
  // French
  'a afin ai ainsi au aucun aussi aux avec avez avoir avons c ca car ce cela ces cet cette ceux chaque chez comment d dans de depuis des doit ' +
    'dois du elle elles en encore entre es est et etre eu faire fait faut il ils j je l la le les leur lorsque lors m ma mais me meme mes moi mon n ne ni ' +
    'nos notre nous on ou ouvrir par pas peut peux peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si ' +
    'son sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vers veux vos votre vous y combien temps',
  // Spanish
  'a al algo alguna algun ante aqui asi aun como con cual cuales cuando cuanto cuanta cuantos cuantas de debe debo del desde donde dos e el ella ellos en ' +
    'entre era es esa ese eso esta estan estar este esto estos fue ha hace hacen hacer hago hasta hay he la las le les lo los mas me mi mis muy ' +
    'necesito ni no nos o otra otro para pero poder por porque puede pueden puedo que quien quiero se sea segun ser si sin sobre son soy su sus ' +
    'tambien te tengo tiene tienen todo todos tu un una uno unos usar y ya yo',
  // Portuguese
  'a ao aos as com como cada da das de deve devo do dos e ela ele em entre era essa esse esta este eu faco fazer foi ha isso isto ja mais mas me ' +
    'meu minha muito na nao nas no nos o onde os ou para pela pelo per pode podem por porque posso preciso quais qual quando quanto quantos quanta que quem ' +
    'se sem ser seu sua sao so sobre tem tenho ter um uma voce',
  // Italian
  'a ai al alla anche che chi ci come con cosa cui da dal dalla dei del della delle di dove devo deve e ed essere fa fare fra gli ha ho i il in io ' +
    'la le lo ma mi mio mia nel nella no non o ogni per perche piu posso possono puo quale quali quando quanto quanta quanti quante quella quello questa questo ' +
    'sara se senza si sono su sul sulla tra un una uno viene vuole',
  // Dutch
  'aan al als bij dan dat de deze die dit doe doen door een en er gaat geen haar hebben heeft heb het hij hoe hoeveel hoelang ik in is je jij kan kun kunnen ' +
    'maar me meer met mij mijn moet moeten na naar niet nog nu of om ook op over te tot uit u uw van veel voor waar waarom waarmee wanneer wat ' +
    'we welk welke werd wie wil wordt worden ze zich zij zijn zonder zou zo',
].map(set);

const otherScripts = set(
  // Russian
  'а без бы был была были было быть в вам вас весь во вот все всего вы где да даже для до его ее если есть еще ж же за и из или им их к ' +
    'как какая какие какой какое каким какую ко когда кого кому кто куда ли либо лучше между меня мне можно могу может мой моя мы на надо над нам нас не ' +
    'него нее нельзя нет ни но нужен нужна нужно нужны о об однако он она они оно от откуда очень по под пожалуйста после почему при про раз с ' +
    'свой своя себя сделать сейчас сколько следует со столько так такое такой также там те тем то тоже того той только том ту ты у уже хочу чего чем чему ' +
    'через что чтобы чье чья эта эти это этого этой этом этот эту я ' +
    // Ukrainian
    'або але чи чому як яка який які яке що щоб це цей ця де коли хто є та і ' +
    // Arabic
    'ما ماذا لماذا متى أين كيف كم هل من مع في على إلى عن هذا هذه ذلك تلك هو هي هم أن أنا أنت نحن كل أي أو ثم قد لا لم لن ليس ليست ' +
    'يمكن يمكنني هناك يوجد توجد عند عندما بعد قبل كان كانت التي الذي الذين وهل غير بين حتى إذا أريد يجب نحتاج أحتاج ' +
    // Hebrew
    'איך מה מתי למה איפה מי האם של על עם את זה זו אני יש אין לא כמה אפשר ניתן או כל הוא היא ' +
    // Hindi
    'क्या कैसे कब कहाँ कौन है का में से पर और या हम यह वह कितना सकते ' +
    // Greek
    'πως τι που ποτε γιατι ποιος ποια ποιο ο η το οι τα του της των και να με σε για απο ειναι δεν μπορω ένα μια',
);

const generic = new Set(
  (
    'use make set support there list type add create change need put run show find see kind way setup allow certain exist start ' +
    'carry enable include provide give offer produce produced option example want new old page doc docs document documentation many kept keep hold ' +
    'read two same write'
  )
    .split(' ')
    .map((word) => stemOf(toTerm(word) ?? '')),
);

/**
 * Function words and endings in scripts without spaces; content words are what is between them. Longer ones come first. Two or more
 * hiragana in a row are grammar and always removed; Korean endings are removed only at the end of a word.
 */
const unspacedFunctionWords = new RegExp(
  [
    // Chinese
    '为什么|為什麼|怎么样|怎麼樣|什么时候|什麼時候|有没有|有沒有|能不能|可不可以|是不是|是什么|是什麼|哪一个|哪些|哪里|哪裡|哪个|怎么|怎麼|怎样|怎樣|' +
      '如何|什么|什麼|多少|几个|幾個|多久|是否|可以|需要|应该|應該|这个|這個|那个|那個|这本|這本|我们|我們|你们|请问|請問|一个|一個|' +
      '[的了吗嗎呢吧啊把被和与與或在是有我你您他她它们們这這那哪请請用要让讓为為从從到给給都也很就还還而且但几幾个個能会會想]',
    // Japanese
    '何ですか|どのように|どうやって|[\\u3041-\\u309f]{2,}|(?<=[\\u4e00-\\u9fff\\u30a0-\\u30ff])[はをがにでとのもへやか]|(?:何|教えて|方法|必要)(?=[\\u3041-\\u309f、。？?]|$)|何',
    // Korean
    '(?:어떻게|무엇을|무엇이|무엇|언제|어디서|어디에|어디|누가|누구|왜|얼마나|몇|어떤|있나요|있습니까|하나요|되나요|인가요|합니까|해야|싶어요|수|있는|좋나요)(?![\\uac00-\\ud7a3])',
    '(?<=[\\uac00-\\ud7a3])(?:입니까|습니까|ㅂ니까|나요|까요|에서는|에서|에게|으로|까지|부터|하는|하고|하려면|은|는|이|가|을|를|의|에|로|와|과|도|만)(?![\\uac00-\\ud7a3])',
  ].join('|'),
  'gu',
);
