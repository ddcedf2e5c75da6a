#pragma once

#include <QObject>

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void every_token_is_there();
    void text_has_contrast();
    void numbers_data();
    void numbers();
    void a_clock_has_no_finer_digits_data();
    void a_clock_has_no_finer_digits();
    void a_clocks_stride_is_seen_data();
    void a_clocks_stride_is_seen();
    void names();
    void paragraphs_end_at_spaces();
    void a_paragraph_without_room_ends_in_an_ellipsis();
    void texts_are_as_qt_draws_them();
    void round_boxes_are_as_qt_draws_them();
    void kept_pictures_are_copied_pixel_for_pixel();
    void pictures_lie_where_earlier_ones_did();
    void color_maps_end_at_their_tokens();
    void color_maps_go_in_even_steps();
};
