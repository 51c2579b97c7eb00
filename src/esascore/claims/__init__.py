"""What a text claims, and whether the input supports it.

Every fact of the input is a cell with coordinates (`cells`). A text is read as claims (`reading`):
quantities, dates, times, codes, and what it asserts or denies of attributes. A claim is a query over the
cells: supported if a reading that its context allows gives it, contradicted if the context identifies the
cells and none gives it, baseless if the input has such things but nothing supports it. Otherwise it is not
judged.

`judge` asks all judges: of numbers (`quantities`, by `explanations`), of two numbers together (`pairs`), of
dates and times (`calendar`, `hours`), attributes that are true or false (`assertions`, by `polarity`), order
and direction (`order`), words that exclude each other (`values`), names, dates and times of another item or
attribute (`misplaced`), and `codes`.
"""
