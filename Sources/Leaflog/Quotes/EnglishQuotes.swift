/// The quotes that come with Leaflog, all in the public domain: the authors died before 1929, and the
/// translators died or published before 1929. One quote per line: text, author and source, separated by tabs.
///
/// Quotes are shown day by day in this order, and a quote's position is its identity: append, never insert or
/// remove.
enum EnglishQuotes {
  static let text = """
    Great works are performed, not by strength, but perseverance.	Samuel Johnson	Rasselas, ch. 13
    The sound of a kiss is not so loud as that of a cannon, but its echo lasts a deal longer.	Oliver Wendell Holmes	The Professor at the Breakfast-Table, ch. 11
    Thus all things are but alter’d, nothing dies.	Ovid	Metamorphoses, XV (tr. John Dryden)
    Our patience will achieve more than our force.	Edmund Burke	Reflections on the Revolution in France
    Each Morn a thousand Roses brings, you say; / Yes, but where leaves the Rose of Yesterday?	Omar Khayyám	Rubáiyát, IX (tr. Edward FitzGerald)
    Let us celebrate the soil. Most men toil that they may own a piece of it; they measure their success in life by their ability to buy it.	Charles Dudley Warner	My Summer in a Garden, Preliminary
    Let us dream of evanescence, and linger in the beautiful foolishness of things.	Okakura Kakuzō	The Book of Tea, I
    An aged thrush, frail, gaunt, and small, / In blast-beruffled plume, / Had chosen thus to fling his soul / Upon the growing gloom.	Thomas Hardy	The Darkling Thrush
    In the moment of our talking, envious time has ebb’d away. / Seize the present; trust to-morrow e’en as little as you may.	Horace	Odes, I.11 (tr. John Conington)
    Learning without thought is labour lost; thought without learning is perilous.	Confucius	Analects, II.15 (tr. James Legge)
    Blessings on him who invented sleep, the cloak that covers all man’s thoughts, the food that removes hunger, the drink that drives away thirst, the fire that warms the cold.	Miguel de Cervantes	Don Quixote, II.68 (tr. John Ormsby)
    Earth-worms, though in appearance a small and despicable link in the chain of nature, yet, if lost, would make a lamentable chasm.	Gilbert White	The Natural History of Selborne, Letter XXXV to Barrington
    Happy the man, whose wish and care / A few paternal acres bound, / Content to breathe his native air, / In his own ground.	Alexander Pope	Ode on Solitude
    It was one of the most bewitching sights in the world to observe a hill of beans thrusting aside the soil, or a row of early peas just peeping forth sufficiently to trace a line of delicate green.	Nathaniel Hawthorne	Mosses from an Old Manse, “The Old Manse”
    The great affairs of life are not performed by physical strength, or activity, or nimbleness of body, but by deliberation, character, expression of opinion.	Cicero	On Old Age (tr. E. S. Shuckburgh)
    I have discovered that all the unhappiness of men arises from one single fact, that they cannot stay quietly in their own chamber.	Blaise Pascal	Pensées, 139 (tr. W. F. Trotter)
    Who loves a garden, loves a green-house too.	William Cowper	The Task, III
    If we had no winter, the spring would not be so pleasant; if we did not sometimes taste of adversity, prosperity would not be so welcome.	Anne Bradstreet	Meditations Divine and Moral, 14
    To dwellers in a wood almost every species of tree has its voice as well as its feature.	Thomas Hardy	Under the Greenwood Tree, I.1
    Consider the lilies of the field, how they grow; they toil not, neither do they spin: And yet I say unto you, That even Solomon in all his glory was not arrayed like one of these.	The Bible	Matthew 6:28–29 (King James Version)
    Shed no tear! O shed no tear! / The flower will bloom another year. / Weep no more! O weep no more! / Young buds sleep in the root’s white core.	John Keats	Faery Songs, I
    A cucumber should be well sliced, and dressed with pepper and vinegar, and then thrown out, as good for nothing.	Samuel Johnson	Boswell’s Tour to the Hebrides, 5 October 1773
    Trees and plants, in their early growth, are soft and brittle; at their death, dry and withered.	Lao Tzu	Tao Te Ching, 76 (tr. James Legge)
    From so simple a beginning endless forms most beautiful and most wonderful have been, and are being, evolved.	Charles Darwin	On the Origin of Species, last chapter
    Serenely full, the epicure would say, / Fate cannot harm me, I have dined to-day.	Sydney Smith	Recipe for a Salad
    There are cases in which the blade springs, but the plant does not go on to flower! There are cases where it flowers, but no fruit is subsequently produced!	Confucius	Analects, IX.21 (tr. James Legge)
    Little flower—but if I could understand / What you are, root and all, and all in all, / I should know what God and man is.	Alfred, Lord Tennyson	Flower in the Crannied Wall
    And what is so rare as a day in June? / Then, if ever, come perfect days.	James Russell Lowell	The Vision of Sir Launfal
    “All that is very well,” answered Candide, “but let us cultivate our garden.”	Voltaire	Candide, ch. 30 (Boni & Liveright translation, 1918)
    Patience, n. A minor form of despair, disguised as a virtue.	Ambrose Bierce	The Devil’s Dictionary, “Patience”
    For, lo, the winter is past, the rain is over and gone; the flowers appear on the earth; the time of the singing of birds is come.	The Bible	Song of Solomon 2:11–12 (King James Version)
    That best portion of a good man’s life, / His little, nameless, unremembered, acts / Of kindness and of love.	William Wordsworth	Tintern Abbey
    What dreadful hot weather we have! It keeps one in a continual state of inelegance.	Jane Austen	Letter to Cassandra Austen, 18 September 1796
    It is not so much for its beauty that the forest makes a claim upon men’s hearts, as for that subtle something, that quality of the air, that emanation from the old trees, that so wonderfully changes and renews a weary spirit.	Robert Louis Stevenson	Essays of Travel, “Forest Notes”
    When we try to pick out anything by itself, we find it hitched to everything else in the universe.	John Muir	My First Summer in the Sierra, ch. 6
    Now I see the secret of the making of the best persons, / It is to grow in the open air and to eat and sleep with the earth.	Walt Whitman	Song of the Open Road, 6
    Rise free from care before the dawn, and seek adventures.	Henry David Thoreau	Walden, ch. 10
    No shade, no shine, no butterflies, no bees, / No fruits, no flowers, no leaves, no birds, / November!	Thomas Hood	No!
    Mine, O thou lord of life, send my roots rain.	Gerard Manley Hopkins	Thou Art Indeed Just, Lord
    We are to-morrow’s past.	Mary Webb	Precious Bane, Foreword
    God made the country, and man made the town.	William Cowper	The Task, I
    Day, n. A period of twenty-four hours, mostly misspent.	Ambrose Bierce	The Devil’s Dictionary, “Day”
    Brown and furry / Caterpillar in a hurry, / Take your walk / To the shady leaf, or stalk.	Christina Rossetti	Sing-Song, “Brown and furry”
    Love your neighbour, yet pull not down your hedge.	George Herbert	Jacula Prudentum
    Even a potato in a dark cellar has a certain low cunning about him which serves him in excellent stead.	Samuel Butler	Erewhon, ch. 23
    It was one of those March days when the sun shines hot and the wind blows cold: when it is summer in the light, and winter in the shade.	Charles Dickens	Great Expectations, ch. 54
    You cannot step twice into the same rivers; for fresh waters are ever flowing in upon you.	Heraclitus	Fragments, 41–42 (tr. John Burnet)
    Rivers are roads which move, and which carry us whither we desire to go.	Blaise Pascal	Pensées, 17 (tr. W. F. Trotter)
    The great man is he who does not lose his child’s-heart.	Mencius	Mencius, IV.B.12 (tr. James Legge)
    In the morning when thou risest unwillingly, let this thought be present—I am rising to the work of a human being.	Marcus Aurelius	Meditations, V.1 (tr. George Long)
    The man who has planted a garden feels that he has done something for the good of the world.	Charles Dudley Warner	My Summer in a Garden, Preliminary
    If I can stop one heart from breaking, / I shall not live in vain.	Emily Dickinson	Poems (1890), Life, VI
    There is no duty we so much underrate as the duty of being happy.	Robert Louis Stevenson	An Apology for Idlers
    Gather ye rosebuds while ye may, / Old Time is still a-flying: / And this same flower that smiles to-day / To-morrow will be dying.	Robert Herrick	To the Virgins, to Make Much of Time
    Housekeeping ain’t no joke.	Louisa May Alcott	Little Women, ch. 11
    Old men delight in giving good advice as a consolation for the fact that they can no longer set bad examples.	François de La Rochefoucauld	Maxims, 93 (tr. J. W. Willis Bund and J. Hain Friswell)
    There is nothing stronger than those two: patience and time, they will do it all.	Leo Tolstoy	War and Peace, X.16 (tr. Louise and Aylmer Maude, 1923)
    Slow but steady wins the race.	Aesop	Fables, “The Hare and the Tortoise” (tr. George Fyler Townsend)
    The growing good of the world is partly dependent on unhistoric acts.	George Eliot	Middlemarch, Finale
    Better is a dinner of herbs where love is, than a stalled ox and hatred therewith.	The Bible	Proverbs 15:17 (King James Version)
    How could such sweet and wholesome hours / Be reckon’d but with herbs and flowers?	Andrew Marvell	The Garden
    Who can (make) the muddy water (clear)? Let it be still, and it will gradually become clear.	Lao Tzu	Tao Te Ching, 15 (tr. James Legge)
    Nature teaches more than she preaches. There are no sermons in stones. It is easier to get a spark out of a stone than a moral.	John Burroughs	Time and Change, “The Gospel of Nature”
    Jock, when ye hae naething else to do, ye may be aye sticking in a tree; it will be growing, Jock, when ye’re sleeping.	Walter Scott	The Heart of Midlothian, ch. 8
    God Almighty first planted a garden. And indeed it is the purest of human pleasures.	Francis Bacon	Essays, “Of Gardens”
    There are more things, Lucilius, likely to frighten us than there are to crush us; we suffer more often in imagination than in reality.	Seneca	Moral Letters to Lucilius, 13 (tr. Richard M. Gummere)
    Walking is the best possible exercise. Habituate yourself to walk very far.	Thomas Jefferson	Letter to Peter Carr, 19 August 1785
    “The beautiful is as useful as the useful.” He added after a pause, “More so, perhaps.”	Victor Hugo	Les Misérables, I.i.6 (tr. Isabel F. Hapgood)
    And add to these retired Leisure, / That in trim gardens takes his pleasure.	John Milton	Il Penseroso
    I know a bank where the wild thyme blows, / Where oxlips and the nodding violet grows.	William Shakespeare	A Midsummer Night’s Dream, II.i
    The wilderness and the solitary place shall be glad for them; and the desert shall rejoice, and blossom as the rose.	The Bible	Isaiah 35:1 (King James Version)
    Sweet day, so cool, so calm, so bright, / The bridal of the earth and sky.	George Herbert	Virtue
    Governing a great state is like cooking small fish.	Lao Tzu	Tao Te Ching, 60 (tr. James Legge)
    Consult the Genius of the Place in all; / That tells the waters or to rise, or fall.	Alexander Pope	Moral Essays, IV: To Burlington
    The love of dirt is among the earliest of passions, as it is the latest. Mud-pies gratify one of our first and best instincts.	Charles Dudley Warner	My Summer in a Garden, Preliminary
    Under certain circumstances there are few hours in life more agreeable than the hour dedicated to the ceremony known as afternoon tea.	Henry James	The Portrait of a Lady, ch. 1
    No human being, however great, or powerful, was ever so free as a fish.	John Ruskin	The Two Paths, V
    Everyone blames his memory, no one blames his judgment.	François de La Rochefoucauld	Maxims, 89 (tr. J. W. Willis Bund and J. Hain Friswell)
    When a man does not know what harbour he is making for, no wind is the right wind.	Seneca	Moral Letters to Lucilius, 71 (tr. Richard M. Gummere)
    The greatest thing in the world is for a man to know that he is his own.	Michel de Montaigne	Essays, I.38 (tr. Charles Cotton)
    Flowers are the sweetest things that God ever made and forgot to put a soul into.	Henry Ward Beecher	Life Thoughts
    To see a World in a Grain of Sand / And a Heaven in a Wild Flower, / Hold Infinity in the palm of your hand / And Eternity in an hour.	William Blake	Auguries of Innocence
    The mountains are calling and I must go.	John Muir	Letter to Sarah Galloway, 3 September 1873
    A thing of beauty is a joy for ever: / Its loveliness increases; it will never / Pass into nothingness.	John Keats	Endymion, I
    No spring, nor summer beauty hath such grace, / As I have seen in one autumnal face.	John Donne	Elegies, IX: The Autumnal
    Sing a song of seasons! / Something bright in all! / Flowers in the summer, / Fires in the fall!	Robert Louis Stevenson	A Child’s Garden of Verses, “Autumn Fires”
    Dear common flower, that grow’st beside the way, / Fringing the dusty road with harmless gold.	James Russell Lowell	To the Dandelion
    I loafe and invite my soul, / I lean and loafe at my ease observing a spear of summer grass.	Walt Whitman	Song of Myself, 1
    The tree which fills the arms grew from the tiniest sprout; the journey of a thousand li commenced with a single step.	Lao Tzu	Tao Te Ching, 64 (tr. James Legge)
    And ’tis my faith that every flower / Enjoys the air it breathes.	William Wordsworth	Lines Written in Early Spring
    Pear upon pear waxes old, and apple on apple, yea and cluster ripens upon cluster of the grape, and fig upon fig.	Homer	Odyssey, VII (tr. S. H. Butcher and Andrew Lang)
    Remember that the most beautiful things in the world are the most useless; peacocks and lilies for instance.	John Ruskin	The Stones of Venice, I.2
    Strange to see how a good dinner and feasting reconciles everybody.	Samuel Pepys	Diary, 9 November 1665
    Pass then through this little space of time conformably to nature, and end thy journey in content, just as an olive falls off when it is ripe, blessing nature who produced it, and thanking the tree on which it grew.	Marcus Aurelius	Meditations, IV.48 (tr. George Long)
    I have just learnt to love a hyacinth.	Jane Austen	Northanger Abbey, ch. 22
    Our labour preserves us from three great evils—weariness, vice, and want.	Voltaire	Candide, ch. 30 (Boni & Liveright translation, 1918)
    A cow is a very good animal in the field; but we turn her out of a garden.	Samuel Johnson	Boswell’s Life of Johnson, 1772
    I am the master of my fate: / I am the captain of my soul.	William Ernest Henley	Invictus
    Our bodies are our gardens, to the which our wills are gardeners.	William Shakespeare	Othello, I.iii
    It may be doubted whether there are many other animals which have played so important a part in the history of the world, as have these lowly organised creatures.	Charles Darwin	The Formation of Vegetable Mould through the Action of Worms, Conclusion
    The breath of flowers is far sweeter in the air (where it comes and goes like the warbling of music) than in the hand.	Francis Bacon	Essays, “Of Gardens”
    I value my garden more for being full of blackbirds than cherries, and very frankly give them fruit for their songs.	Joseph Addison	The Spectator, 477
    Begin at once to live, and count each separate day as a separate life.	Seneca	Moral Letters to Lucilius, 101 (tr. Richard M. Gummere)
    Animals are such agreeable friends—they ask no questions, they pass no criticisms.	George Eliot	Scenes of Clerical Life, “Mr Gilfil’s Love-Story”, ch. 7
    A morning-glory at my window satisfies me more than the metaphysics of books.	Walt Whitman	Song of Myself, 24
    Let us walk in the white snow / In a soundless space; / With footsteps quiet and slow, / At a tranquil pace.	Elinor Wylie	Velvet Shoes
    Only the actions of the just / Smell sweet, and blossom in their dust.	James Shirley	The Contention of Ajax and Ulysses
    This corner of the farmyard I like most: / As well as any bloom upon a flower / I like the dust on the nettles, never lost / Except to prove the sweetness of a shower.	Edward Thomas	Tall Nettles
    Therefore all seasons shall be sweet to thee, / Whether the summer clothe the general earth / With greenness, or the redbreast sit and sing.	Samuel Taylor Coleridge	Frost at Midnight
    Know your own happiness. You want nothing but patience—or give it a more fascinating name, call it hope.	Jane Austen	Sense and Sensibility, ch. 19
    And the cups, / That cheer but not inebriate, wait on each, / So let us welcome peaceful evening in.	William Cowper	The Task, IV
    Man is but a reed, the most feeble thing in nature; but he is a thinking reed.	Blaise Pascal	Pensées, 347 (tr. W. F. Trotter)
    The apple tree never asks the beech how he shall grow; nor the lion, the horse, how he shall take his prey.	William Blake	The Marriage of Heaven and Hell, “Proverbs of Hell”
    There is a garden in her face / Where roses and white lilies grow.	Thomas Campion	Fourth Book of Airs, 7
    They can because they think they can.	Virgil	Aeneid, V (tr. John Conington)
    Grow old along with me! / The best is yet to be, / The last of life, for which the first was made.	Robert Browning	Rabbi Ben Ezra
    A merry heart doeth good like a medicine.	The Bible	Proverbs 17:22 (King James Version)
    He that plants trees, loves others besides himself.	Thomas Fuller	Gnomologia (1732)
    Heaven is under our feet as well as over our heads.	Henry David Thoreau	Walden, ch. 16
    Dost thou love life? then do not squander time; for that’s the stuff life is made of.	Benjamin Franklin	Poor Richard’s Almanack, 1746
    Meanwhile, let us have a sip of tea. The afternoon glow is brightening the bamboos, the fountains are bubbling with delight, the soughing of the pines is heard in our kettle.	Okakura Kakuzō	The Book of Tea, I
    Sad soul, take comfort, nor forget / That sunrise never failed us yet!	Celia Thaxter	The Sunrise Never Failed Us Yet
    The most manifest sign of wisdom is a continual cheerfulness.	Michel de Montaigne	Essays, I.25 (tr. Charles Cotton)
    A plant which is often moved can never grow strong.	Seneca	Moral Letters to Lucilius, 2 (tr. Richard M. Gummere)
    Silently, one by one, in the infinite meadows of heaven, / Blossomed the lovely stars, the forget-me-nots of the angels.	Henry Wadsworth Longfellow	Evangeline, I.3
    The wise find pleasure in water; the virtuous find pleasure in hills.	Confucius	Analects, VI.21 (tr. James Legge)
    Full many a flower is born to blush unseen, / And waste its sweetness on the desert air.	Thomas Gray	Elegy Written in a Country Churchyard
    Happiness is not a potato, to be planted in mould, and tilled with manure.	Charlotte Brontë	Villette, ch. 22
    Look within. Within is the fountain of good, and it will ever bubble up, if thou wilt ever dig.	Marcus Aurelius	Meditations, VII.59 (tr. George Long)
    Seek not that the things which happen should happen as you wish; but wish the things which happen to be as they are, and you will have a tranquil flow of life.	Epictetus	Encheiridion, 8 (tr. George Long)
    But he that dares not grasp the thorn / Should never crave the rose.	Anne Brontë	The Narrow Way
    Glory be to God for dappled things— / For skies of couple-colour as a brinded cow.	Gerard Manley Hopkins	Pied Beauty
    Like the musician, the painter, the poet, and the rest, the true lover of flowers is born, not made.	Celia Thaxter	An Island Garden
    Little drops of water, / Little grains of sand, / Make the mighty ocean / And the pleasant land.	Julia A. Carney	Little Things
    Season of mists and mellow fruitfulness, / Close bosom-friend of the maturing sun.	John Keats	To Autumn
    The place to observe nature is where you are; the walk to take to-day is the walk you took yesterday.	John Burroughs	Signs and Seasons, “A Sharp Lookout”
    Nothing, Lucilius, is ours, except time.	Seneca	Moral Letters to Lucilius, 1 (tr. Richard M. Gummere)
    To sit in the shade on a fine day, and look upon verdure, is the most perfect refreshment.	Jane Austen	Mansfield Park, ch. 9
    In joy or sadness, flowers are our constant friends.	Okakura Kakuzō	The Book of Tea, VI
    Even by the falling of water-drops a water-pot is filled; the wise man becomes full of good, even if he gather it little by little.	The Dhammapada	Dhammapada, 122 (tr. F. Max Müller)
    What shall I learn of beans or beans of me? I cherish them, I hoe them, early and late I have an eye to them; and this is my day’s work.	Henry David Thoreau	Walden, ch. 7
    To know how to grow old is the master-work of wisdom, and one of the most difficult chapters in the great art of living.	Henri-Frédéric Amiel	Journal Intime, 21 September 1874 (tr. Mrs Humphry Ward)
    Those who profess to favor freedom, and yet deprecate agitation, are men who want crops without plowing up the ground. They want rain without thunder and lightning.	Frederick Douglass	West India Emancipation, 3 August 1857
    Climb the mountains and get their good tidings. Nature’s peace will flow into you as sunshine flows into trees.	John Muir	Our National Parks, ch. 2
    Earth laughs in flowers, to see her boastful boys / Earth-proud, proud of the earth which is not theirs.	Ralph Waldo Emerson	Hamatreya
    How poor are they that have not patience! / What wound did ever heal but by degrees?	William Shakespeare	Othello, II.iii
    I still find each day too short for all the thoughts I want to think, all the walks I want to take, all the books I want to read, and all the friends I want to see.	John Burroughs	The Summit of the Years
    Some keep the Sabbath going to church; / I keep it staying at home, / With a bobolink for a chorister, / And an orchard for a dome.	Emily Dickinson	Poems (1890)
    There is nothing in the world so irresistibly contagious as laughter and good-humour.	Charles Dickens	A Christmas Carol, Stave 3
    God the first garden made, and the first city Cain.	Abraham Cowley	Essays, “The Garden”
    Woodman, spare that tree! / Touch not a single bough!	George Pope Morris	Woodman, Spare That Tree
    When the well’s dry, we know the worth of water.	Benjamin Franklin	Poor Richard’s Almanack, 1746
    That’s the wise thrush; he sings each song twice over, / Lest you should think he never could recapture / The first fine careless rapture!	Robert Browning	Home-Thoughts, from Abroad
    Courage is resistance to fear, mastery of fear—not absence of fear.	Mark Twain	Pudd’nhead Wilson, ch. 12
    Love is like the wild rose-briar; / Friendship like the holly-tree. / The holly is dark when the rose-briar blooms, / But which will bloom most constantly?	Emily Brontë	Love and Friendship
    Reason always means what some one else has got to say.	Elizabeth Gaskell	Cranford, ch. 14
    They also serve who only stand and wait.	John Milton	Sonnet XIX
    As the marsh-hen secretly builds on the watery sod, / Behold I will build me a nest on the greatness of God.	Sidney Lanier	The Marshes of Glynn
    He that is down needs fear no fall, / He that is low, no pride.	John Bunyan	The Pilgrim’s Progress, II
    To a person uninstructed in natural history, his country or sea-side stroll is a walk through a gallery filled with wonderful works of art, nine-tenths of which have their faces turned to the wall.	Thomas Henry Huxley	On the Educational Value of the Natural History Sciences
    Blessed is he who has found his work; let him ask no other blessedness.	Thomas Carlyle	Past and Present, III.11
    The apple is the commonest and yet the most varied and beautiful of fruits.	John Burroughs	Winter Sunshine, “The Apple”
    Though I do not believe that a plant will spring up where no seed has been, I have great faith in a seed.	Henry David Thoreau	The Succession of Forest Trees
    When in these fresh mornings I go into my garden before any one is awake, I go for the time being into perfect happiness.	Celia Thaxter	An Island Garden
    Tell them, dear, that if eyes were made for seeing, / Then Beauty is its own excuse for being.	Ralph Waldo Emerson	The Rhodora
    Every clod feels a stir of might, / An instinct within it that reaches and towers, / And, groping blindly above it for light, / Climbs to a soul in grass and flowers.	James Russell Lowell	The Vision of Sir Launfal
    “We can talk,” said the Tiger-lily: “when there’s anybody worth talking to.”	Lewis Carroll	Through the Looking-Glass, ch. 2
    However small it is on the surface, it is four thousand miles deep; and that is a very handsome property.	Charles Dudley Warner	My Summer in a Garden, Preliminary
    My worthy friend, gray are all theories, / And green alone Life’s golden tree.	Johann Wolfgang von Goethe	Faust, I (tr. Bayard Taylor)
    The hours when the mind is absorbed by beauty are the only hours when we really live.	Richard Jefferies	The Life of the Fields, “The Pageant of Summer”
    The poetry of earth is never dead: / When all the birds are faint with the hot sun, / And hide in cooling trees, a voice will run / From hedge to hedge about the new-mown mead.	John Keats	On the Grasshopper and Cricket
    No great thing is produced suddenly, since not even the grape or the fig is.	Epictetus	Discourses, I.15 (tr. George Long)
    An empty sky, a world of heather, / Purple of foxglove, yellow of broom.	Jean Ingelow	Divided
    To affect the quality of the day, that is the highest of arts.	Henry David Thoreau	Walden, ch. 2
    Delightful task! to rear the tender thought, / To teach the young idea how to shoot.	James Thomson	The Seasons, “Spring”
    You never enjoy the world aright, till the Sea itself floweth in your veins, till you are clothed with the heavens, and crowned with the stars.	Thomas Traherne	Centuries of Meditations, I.29
    The morns are meeker than they were, / The nuts are getting brown; / The berry’s cheek is plumper, / The rose is out of town.	Emily Dickinson	Poems (1890), “Autumn”
    A garden is a lovesome thing, God wot!	Thomas Edward Brown	My Garden
    What a man needs in gardening is a cast-iron back, with a hinge in it.	Charles Dudley Warner	My Summer in a Garden, Third Week
    He who marvels at the beauty of the world in summer will find equal cause for wonder and admiration in winter.	John Burroughs	Winter Sunshine, “The Snow-Walkers”
    It is eternity now. I am in the midst of it. It is about me in the sunshine; I am in it, as the butterfly floats in the light-laden air.	Richard Jefferies	The Story of My Heart, ch. 3
    A small daily task, if it be really daily, will beat the labours of a spasmodic Hercules.	Anthony Trollope	An Autobiography, ch. 7
    Every thing has two handles, the one by which it may be borne, the other by which it may not.	Epictetus	Encheiridion, 43 (tr. George Long)
    If we had a keen vision and feeling of all ordinary human life, it would be like hearing the grass grow and the squirrel’s heart beat, and we should die of that roar which lies on the other side of silence.	George Eliot	Middlemarch, ch. 20
    If you have built castles in the air, your work need not be lost; that is where they should be. Now put the foundations under them.	Henry David Thoreau	Walden, ch. 18
    All nature is so full, that that district produces the greatest variety which is the most examined.	Gilbert White	The Natural History of Selborne, Letter XX to Pennant
    Thou canst not stir a flower / Without troubling of a star.	Francis Thompson	The Mistress of Vision
    What is a weed? A plant whose virtues have not yet been discovered.	Ralph Waldo Emerson	Fortune of the Republic
    Come now, have courage to be wise: begin: / You’re halfway over when you once plunge in.	Horace	Epistles, I.2 (tr. John Conington)
    One day in the country / Is worth a month in town.	Christina Rossetti	Summer
    Four ducks on a pond, / A grass-bank beyond, / A blue sky of spring, / White clouds on the wing.	William Allingham	A Memory
    Green little vaulter in the sunny grass, / Catching your heart up at the feel of June.	Leigh Hunt	To the Grasshopper and the Cricket
    The tree which moves some to tears of joy is in the eyes of others only a green thing that stands in the way.	William Blake	Letter to Dr Trusler, 23 August 1799
    Doubtless God could have made a better berry, but doubtless God never did.	Izaak Walton	The Compleat Angler, ch. 5 (citing Dr. Boteler, of strawberries)
    I used to visit and revisit it a dozen times a day, and stand in deep contemplation over my vegetable progeny with a love that nobody could share or conceive of who had never taken part in the process of creation.	Nathaniel Hawthorne	Mosses from an Old Manse, “The Old Manse”
    Time is but the stream I go a-fishing in.	Henry David Thoreau	Walden, ch. 2
    Nature gives to every time and season some beauties of its own; and from morning to night, as from the cradle to the grave, is but a succession of changes so gentle and easy, that we can scarcely mark their progress.	Charles Dickens	Nicholas Nickleby, ch. 22
    Give me the clear blue sky over my head, and the green turf beneath my feet, a winding road before me, and a three hours’ march to dinner—and then to thinking!	William Hazlitt	On Going a Journey
    Earth’s crammed with heaven, / And every common bush afire with God.	Elizabeth Barrett Browning	Aurora Leigh, VII
    I have three precious things which I prize and hold fast. The first is gentleness; the second is economy; and the third is shrinking from taking precedence of others.	Lao Tzu	Tao Te Ching, 67 (tr. James Legge)
    Be like the promontory against which the waves continually break, but it stands firm and tames the fury of the water around it.	Marcus Aurelius	Meditations, IV.49 (tr. George Long)
    In all things that live there are certain irregularities and deficiencies which are not only signs of life, but sources of beauty.	John Ruskin	The Stones of Venice, II.6
    How far that little candle throws his beams! / So shines a good deed in a naughty world.	William Shakespeare	The Merchant of Venice, V.i
    The thing generally raised on city land is taxes.	Charles Dudley Warner	My Summer in a Garden
    Like the sweet apple which reddens upon the topmost bough, / A-top on the topmost twig,—which the pluckers forgot, somehow,— / Forgot it not, nay, but got it not, for none could get it till now.	Sappho	“One Girl” (tr. Dante Gabriel Rossetti)
    What would the world be, once bereft / Of wet and of wildness? Let them be left, / O let them be left, wildness and wet; / Long live the weeds and the wilderness yet.	Gerard Manley Hopkins	Inversnaid
    The groves were God’s first temples.	William Cullen Bryant	A Forest Hymn
    Yes’m, old friends is always best, ’less you can catch a new one that’s fit to make an old one out of.	Sarah Orne Jewett	The Country of the Pointed Firs, ch. 12
    In every walk with Nature one receives far more than he seeks.	John Muir	Steep Trails, “Mormon Lilies”
    O suns and skies and clouds of June, / And flowers of June together, / Ye cannot rival for one hour / October’s bright blue weather.	Helen Hunt Jackson	October’s Bright Blue Weather
    He who knows other men is discerning; he who knows himself is intelligent. He who overcomes others is strong; he who overcomes himself is mighty.	Lao Tzu	Tao Te Ching, 33 (tr. James Legge)
    Such as are thy habitual thoughts, such also will be the character of thy mind; for the soul is dyed by the thoughts.	Marcus Aurelius	Meditations, V.16 (tr. George Long)
    May you live all the days of your life.	Jonathan Swift	Polite Conversation, II
    You must learn some of my philosophy. Think only of the past as its remembrance gives you pleasure.	Jane Austen	Pride and Prejudice, ch. 58
    All shall be well, and all shall be well, and all manner of thing shall be well.	Julian of Norwich	Revelations of Divine Love, ch. 27 (ed. Grace Warrack, 1901)
    Give fools their gold, and knaves their power; / Let fortune’s bubbles rise and fall; / Who sows a field, or trains a flower, / Or plants a tree, is more than all.	John Greenleaf Whittier	A Song of Harvest
    He that observeth the wind shall not sow; and he that regardeth the clouds shall not reap.	The Bible	Ecclesiastes 11:4 (King James Version)
    Praised be my Lord for our mother the earth, the which doth sustain us and keep us, and bringeth forth divers fruits, and flowers of many colours, and grass.	Francis of Assisi	Canticle of the Sun (tr. Matthew Arnold)
    No race can prosper till it learns that there is as much dignity in tilling a field as in writing a poem.	Booker T. Washington	Up from Slavery, ch. 14
    And now in age I bud again, / After so many deaths I live and write; / I once more smell the dew and rain, / And relish versing.	George Herbert	The Flower
    Hope is the thing with feathers / That perches in the soul, / And sings the tune without the words, / And never stops at all.	Emily Dickinson	Poems: Second Series (1891), “Hope”
    A violent wind does not last for a whole morning; a sudden rain does not last for the whole day.	Lao Tzu	Tao Te Ching, 23 (tr. James Legge)
    Very little indeed is necessary for living a happy life.	Marcus Aurelius	Meditations, VII.67 (tr. George Long)
    With malice toward none, with charity for all, with firmness in the right as God gives us to see the right, let us strive on to finish the work we are in.	Abraham Lincoln	Second Inaugural Address, 4 March 1865
    The sons of Adam are limbs of each other, / Having been created of one essence.	Saadi	Gulistan, I.10 (tr. Edward Rehatsek)
    I never saw daffodils so beautiful. They grew among the mossy stones about and about them; some rested their heads upon these stones, as on a pillow, for weariness.	Dorothy Wordsworth	Grasmere Journal, 15 April 1802
    No occupation is so delightful to me as the culture of the earth, and no culture comparable to that of the garden.	Thomas Jefferson	Letter to Charles Willson Peale, 20 August 1811
    He prayeth best, who loveth best / All things both great and small.	Samuel Taylor Coleridge	The Rime of the Ancient Mariner, VII
    Fall, leaves, fall; die, flowers, away; / Lengthen night and shorten day; / Every leaf speaks bliss to me / Fluttering from the autumn tree.	Emily Brontë	Fall, Leaves, Fall
    The bud may have a bitter taste, / But sweet will be the flower.	William Cowper	Olney Hymns, “Light Shining out of Darkness”
    The art of being wise is the art of knowing what to overlook.	William James	The Principles of Psychology, ch. 22
    Nothing is too wonderful to be true, if it be consistent with the laws of nature.	Michael Faraday	Diary, 19 March 1849 (Bence Jones, Life and Letters of Faraday)
    The creation of a thousand forests is in one acorn.	Ralph Waldo Emerson	Essays: First Series, “History”
    And let us not be weary in well doing: for in due season we shall reap, if we faint not.	The Bible	Galatians 6:9 (King James Version)
    Yes. I remember Adlestrop— / The name, because one afternoon / Of heat the express-train drew up there / Unwontedly.	Edward Thomas	Adlestrop
    Inebriate of air am I, / And debauchee of dew, / Reeling, through endless summer days, / From inns of molten blue.	Emily Dickinson	Poems (1890)
    Oh, flowers are as common here, Miss Fairfax, as people are in London.	Oscar Wilde	The Importance of Being Earnest, II
    A merry heart goes all the day, / Your sad tires in a mile-a.	William Shakespeare	The Winter’s Tale, IV.iii
    To me the meanest flower that blows can give / Thoughts that do often lie too deep for tears.	William Wordsworth	Ode: Intimations of Immortality
    What moistens the lip and what brightens the eye? / What calls back the past, like the rich Pumpkin pie?	John Greenleaf Whittier	The Pumpkin
    I think that I shall never see / A poem lovely as a tree.	Joyce Kilmer	Trees
    Is it so small a thing / To have enjoy’d the sun, / To have lived light in the spring, / To have loved, to have thought, to have done?	Matthew Arnold	Empedocles on Etna
    Who has seen the wind? / Neither I nor you: / But when the leaves hang trembling, / The wind is passing through.	Christina Rossetti	Sing-Song, “Who has seen the wind?”
    To the attentive eye, each moment of the year has its own beauty, and in the same field, it beholds, every hour, a picture which was never seen before, and which shall never be seen again.	Ralph Waldo Emerson	Nature, ch. 3
    This used to be my wish: a bit of land, / A house and garden with a spring at hand, / And just a little wood.	Horace	Satires, II.6 (tr. John Conington)
    The world is so full of a number of things, / I’m sure we should all be as happy as kings.	Robert Louis Stevenson	A Child’s Garden of Verses, “Happy Thought”
    It is not down in any map; true places never are.	Herman Melville	Moby-Dick, ch. 12
    Of all the wonderful things in the wonderful universe of God, nothing seems to me more surprising than the planting of a seed in the blank earth and the result thereof.	Celia Thaxter	An Island Garden
    Lovely are the curves of the white owl sweeping / Wavy in the dusk lit by one large star.	George Meredith	Love in the Valley
    Small service is true service while it lasts: / Of humblest Friends, bright Creature! scorn not one: / The Daisy, by the shadow that it casts, / Protects the lingering dew-drop from the Sun.	William Wordsworth	To a Child, Written in Her Album
    The grass so little has to do,— / A sphere of simple green, / With only butterflies to brood, / And bees to entertain.	Emily Dickinson	Poems (1890)
    We have all sufficient strength to support the misfortunes of others.	François de La Rochefoucauld	Maxims, 19 (tr. J. W. Willis Bund and J. Hain Friswell)
    How can a man come to know himself? Never by thinking, but by doing. Try to do your duty, and you will know at once what you are worth.	Johann Wolfgang von Goethe	Maxims and Reflections (tr. T. Bailey Saunders)
    It has always pleased me to exalt plants in the scale of organised beings.	Charles Darwin	Autobiography
    In the woods, we return to reason and faith.	Ralph Waldo Emerson	Nature, ch. 1
    He who would have beautiful Roses in his garden must have beautiful Roses in his heart.	Samuel Reynolds Hole	A Book about Roses, ch. 1
    Those who labor in the earth are the chosen people of God.	Thomas Jefferson	Notes on the State of Virginia, Query XIX
    He that can have patience, can have what he will.	Benjamin Franklin	Poor Richard’s Almanack, 1736
    Have nothing in your houses that you do not know to be useful, or believe to be beautiful.	William Morris	The Beauty of Life
    Cabbage, n. A familiar kitchen-garden vegetable about as large and wise as a man’s head.	Ambrose Bierce	The Devil’s Dictionary, “Cabbage”
    There was a man of Sung, who was grieved that his growing corn was not longer, and so he pulled it up.	Mencius	Mencius, II.A.2 (tr. James Legge)
    Sweet April showers / Do spring May flowers.	Thomas Tusser	Five Hundred Points of Good Husbandry
    You know also that the beginning is the most important part of any work, especially in the case of a young and tender thing.	Plato	Republic, II, 377 (tr. Benjamin Jowett)
    O happy, if he knew his happy state, / The swain, who, free from business and debate, / Receives his easy food from Nature’s hand.	Virgil	Georgics, II (tr. John Dryden)
    O, Wind, / If Winter comes, can Spring be far behind?	Percy Bysshe Shelley	Ode to the West Wind
    Little as we know about the way in which we are affected by form, by colour, and light, we do know this, that they have an actual physical effect.	Florence Nightingale	Notes on Nursing
    What progress, you ask, have I made? I have begun to be a friend to myself.	Seneca	Moral Letters to Lucilius, 6, citing Hecato (tr. Richard M. Gummere)
    Fair Flora may resume her fragrant reign, / And with her flow’ry riches deck the plain.	Phillis Wheatley	On Imagination
    I would unite with anybody to do right and with nobody to do wrong.	Frederick Douglass	The Anti-Slavery Movement, 1855
    Happy the man, and happy he alone, / He, who can call to-day his own: / He who, secure within, can say, / To-morrow do thy worst, for I have lived to-day.	John Dryden	Imitation of Horace, Odes, III.29
    No man is an island, entire of itself; every man is a piece of the continent, a part of the main.	John Donne	Devotions upon Emergent Occasions, XVII
    You fight and contend with the wind, and consequently you are destroyed; while we on the contrary bend before the least breath of air, and therefore remain unbroken, and escape.	Aesop	Fables, “The Oak and the Reeds” (tr. George Fyler Townsend)
    How doth the little busy bee / Improve each shining hour, / And gather honey all the day / From every opening flower!	Isaac Watts	Divine Songs, XX
    I am a lover of knowledge, and the men who dwell in the city are my teachers, and not the trees or the country.	Plato	Phaedrus, 230 (tr. Benjamin Jowett)
    Who sweeps a room, as for thy laws, / Makes that and th’ action fine.	George Herbert	The Elixir
    Thousands of tired, nerve-shaken, over-civilized people are beginning to find out that going to the mountains is going home; that wildness is a necessity.	John Muir	Our National Parks, ch. 1
    “Might I,” quavered Mary, “might I have a bit of earth?”	Frances Hodgson Burnett	The Secret Garden, ch. 12
    The primary indication, to my thinking, of a well-ordered mind is a man’s ability to remain in one place and linger in his own company.	Seneca	Moral Letters to Lucilius, 2 (tr. Richard M. Gummere)
    Every habit and faculty is maintained and increased by the corresponding actions: the habit of walking by walking, the habit of running by running.	Epictetus	Discourses, II.18 (tr. George Long)
    If you should add only a little to a little and do this often, soon that little will become great.	Hesiod	Works and Days, 361 (tr. Hugh G. Evelyn-White)
    Truly the light is sweet, and a pleasant thing it is for the eyes to behold the sun.	The Bible	Ecclesiastes 11:7 (King James Version)
    May I a small house and large garden have; / And a few friends, and many books, both true, / Both wise, and both delightful too!	Abraham Cowley	The Mistress, “The Wish”
    “The time has come,” the Walrus said, / “To talk of many things: / Of shoes—and ships—and sealing-wax— / Of cabbages—and kings—”	Lewis Carroll	Through the Looking-Glass, ch. 4
    Training is everything. The peach was once a bitter almond; cauliflower is nothing but cabbage with a college education.	Mark Twain	Pudd’nhead Wilson, ch. 5
    Flowers and fruits are always fit presents; flowers, because they are a proud assertion that a ray of beauty outvalues all the utilities of the world.	Ralph Waldo Emerson	Essays: Second Series, “Gifts”
    Love all God’s creation, the whole and every grain of sand in it. Love every leaf, every ray of God’s light. Love the animals, love the plants, love everything.	Fyodor Dostoevsky	The Brothers Karamazov, VI.3 (tr. Constance Garnett, 1912)
    Give me the splendid silent sun with all his beams full-dazzling, / Give me juicy autumnal fruit ripe and red from the orchard.	Walt Whitman	Give Me the Splendid Silent Sun
    One of the strange things about living in the world is that it is only now and then one is quite sure one is going to live forever and ever and ever.	Frances Hodgson Burnett	The Secret Garden, ch. 21
    But though an old man, I am but a young gardener.	Thomas Jefferson	Letter to Charles Willson Peale, 20 August 1811
    I know what the caged bird feels, alas! / When the sun is bright on the upland slopes; / When the wind stirs soft through the springing grass, / And the river flows like a stream of glass.	Paul Laurence Dunbar	Sympathy
    We must learn to reawaken and keep ourselves awake, not by mechanical aids, but by an infinite expectation of the dawn.	Henry David Thoreau	Walden, ch. 2
    I can enjoy society in a room; but out of doors, nature is company enough for me.	William Hazlitt	On Going a Journey
    To be born in a duck’s nest, in a farmyard, is of no consequence to a bird, if it is hatched from a swan’s egg.	Hans Christian Andersen	The Ugly Duckling (tr. H. P. Paull)
    The pedigree of honey / Does not concern the bee; / A clover, any time, to him / Is aristocracy.	Emily Dickinson	Poems (1890)
    It was not a Southern watermelon that Eve took: we know it because she repented.	Mark Twain	Pudd’nhead Wilson, ch. 14
    The lark’s on the wing; / The snail’s on the thorn: / God’s in his heaven— / All’s right with the world!	Robert Browning	Pippa Passes, I
    One ought, every day at least, to hear a little song, read a good poem, see a fine picture, and, if it were possible, to speak a few reasonable words.	Johann Wolfgang von Goethe	Wilhelm Meister’s Apprenticeship, V.1 (tr. Thomas Carlyle)
    Where are the songs of Spring? Ay, where are they? / Think not of them, thou hast thy music too.	John Keats	To Autumn
    I can’t sit still and see another man slaving and working. I want to get up and superintend, and walk round with my hands in my pockets, and tell him what to do.	Jerome K. Jerome	Three Men in a Boat, ch. 4
    Is it not pleasant to learn with a constant perseverance and application?	Confucius	Analects, I.1 (tr. James Legge)
    There was an Old Man with a beard, / Who said, “It is just as I feared!— / Two Owls and a Hen, four Larks and a Wren, / Have all built their nests in my beard!”	Edward Lear	A Book of Nonsense
    We are all in the gutter, but some of us are looking at the stars.	Oscar Wilde	Lady Windermere’s Fan, III
    A Sensitive Plant in a garden grew, / And the young winds fed it with silver dew, / And it opened its fan-like leaves to the light, / And closed them beneath the kisses of Night.	Percy Bysshe Shelley	The Sensitive Plant, I
    “We are always doing,” says he, “something for posterity, but I would fain see posterity do something for us.”	Joseph Addison	The Spectator, 583
    He leaped the fence, and saw that all nature was a garden.	Horace Walpole	On Modern Gardening
    Few things are harder to put up with than the annoyance of a good example.	Mark Twain	Pudd’nhead Wilson, ch. 19
    I sometimes think that never blows so red / The Rose as where some buried Cæsar bled.	Omar Khayyám	Rubáiyát, XIX (tr. Edward FitzGerald)
    The birds are asleep in the trees: / Wait; soon like these / Thou too shalt rest.	Johann Wolfgang von Goethe	Wanderer’s Night-Songs, II (tr. Henry Wadsworth Longfellow)
    To every thing there is a season, and a time to every purpose under the heaven.	The Bible	Ecclesiastes 3:1 (King James Version)
    Delicious autumn! My very soul is wedded to it, and if I were a bird I would fly about the earth seeking the successive autumns.	George Eliot	Letter to Maria Lewis, 1 October 1841
    When the year becomes cold, then we know how the pine and the cypress are the last to lose their leaves.	Confucius	Analects, IX.27 (tr. James Legge)
    What do we plant when we plant the tree? / We plant the ship, which will cross the sea.	Henry Abbey	What Do We Plant?
    The country life is to be preferred, for there we see the works of God; but in cities little else but the works of men.	William Penn	Some Fruits of Solitude
    Nothing is so beautiful as Spring— / When weeds, in wheels, shoot long and lovely and lush.	Gerard Manley Hopkins	Spring
    The golden-rod is yellow; / The corn is turning brown; / The trees in apple orchards / With fruit are bending down.	Helen Hunt Jackson	September
    There is not a sprig of grass that shoots uninteresting to me.	Thomas Jefferson	Letter to Martha Jefferson Randolph, 23 December 1790
    The moan of doves in immemorial elms, / And murmuring of innumerable bees.	Alfred, Lord Tennyson	The Princess, VII
    When the oak-tree is felled, the whole forest echoes with it; but a hundred acorns are planted silently by some unnoticed breeze.	Thomas Carlyle	On History
    Daffodils, / That come before the swallow dares, and take / The winds of March with beauty.	William Shakespeare	The Winter’s Tale, IV.iv
    Spake full well, in language quaint and olden, / One who dwelleth by the castled Rhine, / When he called the flowers, so blue and golden, / Stars, that in earth’s firmament do shine.	Henry Wadsworth Longfellow	Flowers
    What do we live for, if it is not to make life less difficult to each other?	George Eliot	Middlemarch, ch. 72
    Our greatest glory is, not in never falling, but in rising every time we fall.	Oliver Goldsmith	The Citizen of the World, VII
    The greatest thing a human soul ever does in this world is to see something, and tell what it saw in a plain way.	John Ruskin	Modern Painters, III
    So many gods, so many creeds; / So many paths that wind and wind / While just the art of being kind / Is all the sad world needs.	Ella Wheeler Wilcox	The World’s Need
    In seed time learn, in harvest teach, in winter enjoy.	William Blake	The Marriage of Heaven and Hell, “Proverbs of Hell”
    As the bee collects nectar and departs without injuring the flower, or its colour or scent, so let a sage dwell in his village.	The Dhammapada	Dhammapada, 49 (tr. F. Max Müller)
    Deep in the sun-searched growths the dragon-fly / Hangs like a blue thread loosened from the sky.	Dante Gabriel Rossetti	The House of Life, “Silent Noon”
    The onion in its satin wrappings is among the most beautiful of vegetables; and it is the only one that represents the essence of things. It can almost be said to have a soul.	Charles Dudley Warner	My Summer in a Garden
    The wise, for cure, on exercise depend; / God never made his work for man to mend.	John Dryden	To My Honour’d Kinsman, John Driden
    I wandered lonely as a cloud / That floats on high o’er vales and hills, / When all at once I saw a crowd, / A host, of golden daffodils.	William Wordsworth	I Wandered Lonely as a Cloud
    When seated upon the most elevated throne in the world, we are but seated upon our breech.	Michel de Montaigne	Essays, III.13 (tr. Charles Cotton)
    It’s but little good you’ll do a-watering the last year’s crop.	George Eliot	Adam Bede, ch. 18
    And not by eastern windows only, / When daylight comes, comes in the light; / In front the sun climbs slow, how slowly! / But westward, look, the land is bright!	Arthur Hugh Clough	Say Not the Struggle Nought Availeth
    One swallow does not make a summer, nor does one day; and so too one day, or a short time, does not make a man blessed and happy.	Aristotle	Nicomachean Ethics, I.7 (tr. W. D. Ross, 1925)
    In those vernal seasons of the year, when the air is calm and pleasant, it were an injury and sullenness against Nature not to go out and see her riches, and partake in her rejoicing with heaven and earth.	John Milton	Of Education
    The true secret of happiness lies in the taking a genuine interest in all the details of daily life.	William Morris	The Aims of Art
    What wondrous life in this I lead! / Ripe apples drop about my head; / The luscious clusters of the vine / Upon my mouth do crush their wine.	Andrew Marvell	The Garden
    No longer talk at all about the kind of man that a good man ought to be, but be such.	Marcus Aurelius	Meditations, X.16 (tr. George Long)
    I love to lose myself in other men’s minds. When I am not walking, I am reading; I cannot sit and think. Books think for me.	Charles Lamb	Last Essays of Elia, “Detached Thoughts on Books and Reading”
    To make a prairie it takes a clover and one bee,— / One clover, and a bee, / And revery.	Emily Dickinson	Poems: Third Series (1896)
    Prejudices, it is well known, are most difficult to eradicate from the heart whose soil has never been loosened or fertilised by education: they grow there, firm as weeds among stones.	Charlotte Brontë	Jane Eyre, ch. 29
    Let right deeds be / Thy motive, not the fruit which comes from them.	The Bhagavad Gita	The Song Celestial, II (tr. Edwin Arnold)
    Where you tend a rose, my lad, / A thistle cannot grow.	Frances Hodgson Burnett	The Secret Garden, ch. 27
    For there is hope of a tree, if it be cut down, that it will sprout again, and that the tender branch thereof will not cease.	The Bible	Job 14:7 (King James Version)
    Ah, but a man’s reach should exceed his grasp, / Or what’s a heaven for?	Robert Browning	Andrea del Sarto
    I know not all that may be coming, but be it what it will, I’ll go to it laughing.	Herman Melville	Moby-Dick, ch. 39
    Every blade of grass is a study; and to produce two where there was but one is both a profit and a pleasure.	Abraham Lincoln	Address to the Wisconsin State Agricultural Society, 30 September 1859
    ’Tis education forms the common mind; / Just as the twig is bent, the tree’s inclin’d.	Alexander Pope	Moral Essays, I: To Cobham
    The weather is like the government—always in the wrong.	Jerome K. Jerome	Idle Thoughts of an Idle Fellow, “On the Weather”
    Beloved Pan, and all ye other gods who haunt this place, give me beauty in the inward soul; and may the outward and inward man be at one.	Plato	Phaedrus, 279 (tr. Benjamin Jowett)
    When I dance, I dance; when I sleep, I sleep.	Michel de Montaigne	Essays, III.13 (tr. Charles Cotton)
    Everybody needs beauty as well as bread, places to play in and pray in, where Nature may heal and cheer and give strength to body and soul alike.	John Muir	The Yosemite, “Hetch Hetchy Valley”
    I believe a leaf of grass is no less than the journey-work of the stars.	Walt Whitman	Song of Myself, 31
    To travel hopefully is a better thing than to arrive, and the true success is to labour.	Robert Louis Stevenson	Virginibus Puerisque, “El Dorado”
    Whan that Aprille with his shoures soote / The droghte of March hath perced to the roote.	Geoffrey Chaucer	The Canterbury Tales, General Prologue
    “I can never make my plants blossom like this! What is your secret?” And I answer with one word, “Love.”	Celia Thaxter	An Island Garden
    O my Luve’s like a red, red rose, / That’s newly sprung in June.	Robert Burns	A Red, Red Rose
    With coarse rice to eat, with water to drink, and my bended arm for a pillow;—I have still joy in the midst of these things.	Confucius	Analects, VII.15 (tr. James Legge)
    Reflect upon your present blessings—of which every man has many—not on your past misfortunes, of which all men have some.	Charles Dickens	Sketches by Boz, “A Christmas Dinner”
    I like work: it fascinates me. I can sit and look at it for hours.	Jerome K. Jerome	Three Men in a Boat, ch. 15
    I love the sticky little leaves as they open in spring.	Fyodor Dostoevsky	The Brothers Karamazov, V.3 (tr. Constance Garnett, 1912)
    Lettuce is like conversation: it must be fresh and crisp, so sparkling that you scarcely notice the bitter in it.	Charles Dudley Warner	My Summer in a Garden
    When I play with my cat who knows whether I do not make her more sport than she makes me?	Michel de Montaigne	Essays, II.12 (tr. Charles Cotton)
    A little garden in which to walk, and immensity in which to dream.	Victor Hugo	Les Misérables, I.i.13 (tr. Isabel F. Hapgood)
    And in green underwood and cover / Blossom by blossom the spring begins.	Algernon Charles Swinburne	Atalanta in Calydon
    Hope springs eternal in the human breast: / Man never Is, but always To be blest.	Alexander Pope	An Essay on Man, I
    Come forth into the light of things, / Let Nature be your Teacher.	William Wordsworth	The Tables Turned
    Every day is a fresh beginning, / Every morn is the world made new.	Susan Coolidge	New Every Morning
    O, it sets my heart a-clickin’ like the tickin’ of a clock, / When the frost is on the punkin and the fodder’s in the shock.	James Whitcomb Riley	When the Frost Is on the Punkin
    A man’s nature runs either to herbs or weeds; therefore let him seasonably water the one, and destroy the other.	Francis Bacon	Essays, “Of Nature in Men”
    I shall never forget the rapture of fever patients over a bunch of bright-coloured flowers.	Florence Nightingale	Notes on Nursing
    For my part, I travel not to go anywhere, but to go. I travel for travel’s sake. The great affair is to move.	Robert Louis Stevenson	Travels with a Donkey, “Cheylard and Luc”
    To own a bit of ground, to scratch it with a hoe, to plant seeds and watch their renewal of life,—this is the commonest delight of the race, the most satisfactory thing a man can do.	Charles Dudley Warner	My Summer in a Garden, Preliminary
    To him who in the love of Nature holds / Communion with her visible forms, she speaks / A various language.	William Cullen Bryant	Thanatopsis
    Stands the Church clock at ten to three? / And is there honey still for tea?	Rupert Brooke	The Old Vicarage, Grantchester
    A Book of Verses underneath the Bough, / A Jug of Wine, a Loaf of Bread—and Thou / Beside me singing in the Wilderness— / Oh, Wilderness were Paradise enow!	Omar Khayyám	Rubáiyát, XII (tr. Edward FitzGerald)
    Perseverance is more prevailing than violence; and many things which cannot be overcome when they are together, yield themselves up when taken little by little.	Plutarch	Lives, “Sertorius” (Dryden’s translation, rev. Arthur Hugh Clough)
    “No one is useless in this world,” retorted the Secretary, “who lightens the burden of it for any one else.”	Charles Dickens	Our Mutual Friend, III.9
    A lily of a day / Is fairer far in May, / Although it fall and die that night; / It was the plant and flower of light.	Ben Jonson	Ode to Sir Lucius Cary and Sir H. Morison
    And this our life, exempt from public haunt, / Finds tongues in trees, books in the running brooks, / Sermons in stones, and good in every thing.	William Shakespeare	As You Like It, II.i
    Little strokes, fell great oaks.	Benjamin Franklin	Poor Richard’s Almanack, 1750
    Let death take me planting my cabbages.	Michel de Montaigne	Essays, I.19 (tr. Charles Cotton)
    He who plants a tree / Plants a hope.	Lucy Larcom	Plant a Tree
    Remember this, my friends: there are no such things as bad plants or bad men. There are only bad cultivators.	Victor Hugo	Les Misérables, I.v.3 (tr. Isabel F. Hapgood)
    Annihilating all that’s made / To a green thought in a green shade.	Andrew Marvell	The Garden
    """
}
